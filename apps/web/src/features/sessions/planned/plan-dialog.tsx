import { NativeSelect, Text, Textarea } from "@mantine/core";
import { type CallInput, createPlan, type SessionPlan, type Store, updatePlan } from "@stocktake/contract";
import { type FormEvent, useState } from "react";
import { callApi } from "../../../http/call.ts";
import { staleAfter } from "../../../http/query-roots.ts";
import { useChange } from "../../../http/use-change.ts";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { ScopeChoice } from "../scope-choice.tsx";
import { SessionDescriptionFields } from "../session-description.tsx";
import { plannedMessages } from "./messages.ts";
import { PlanAreas } from "./plan-areas.tsx";
import { PlanAssignments } from "./plan-assignments.tsx";
import { bodyOf, canBeSaved, draftOf, nothingAssigned, type PlanDraft, peopleProblem } from "./plan-draft.ts";

const texts = plannedMessages;

interface PlanDialogProps {
  /** Null for a new one. */
  readonly plan: SessionPlan | null;
  readonly stores: readonly Store[];
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

function useSaving({ plan, stores, onDone, onClose }: PlanDialogProps, draft: PlanDraft) {
  const { storeId } = draft;
  const change = useChange((body: CallInput<typeof updatePlan>["body"]) => {
    return plan === null
      ? callApi(createPlan, { body: { storeId, ...body } })
      : callApi(updatePlan, { params: { id: plan._id }, body });
  }, staleAfter.plan);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.send(bodyOf(draft), () => {
      onDone(texts.saved(stores.find(({ _id }) => _id === storeId)?.name ?? ""));
      onClose();
    });
  };
  return { change, submit };
}

/** Prepares a session, or changes one that is prepared. */
export function PlanDialog(props: PlanDialogProps) {
  const { plan, stores, onClose } = props;
  const [draft, setDraft] = useState(() => draftOf(plan));
  const { change, submit } = useSaving(props, draft);
  const set = (changes: Partial<PlanDraft>) => setDraft({ ...draft, ...changes });
  return (
    <FormDialog
      title={plan === null ? texts.planTitle : texts.editTitle(plan.storeId.name)}
      size="lg"
      onClose={onClose}
      onSubmit={submit}
      change={change}
      errorFallback={texts.saveFailed}
      submitLabel={texts.save}
      busyLabel={texts.saving}
      disabled={!canBeSaved(draft)}
    >
      {plan === null ? (
        <NativeSelect
          label={texts.store}
          data-autofocus
          value={draft.storeId}
          onChange={({ currentTarget }) =>
            set({ storeId: currentTarget.value, areaIds: null, ...nothingAssigned })
          }
          data={[
            { value: "", label: texts.chooseStore },
            ...stores
              .filter(({ isActive }) => isActive)
              .map(({ _id, name }) => ({ value: _id, label: name })),
          ]}
        />
      ) : null}
      <SessionDescriptionFields words={draft.words} onChange={(words) => set({ words })} />
      <ScopeChoice value={draft.scope} onChange={(scope) => set({ scope })} />
      {draft.storeId === "" ? null : (
        <>
          <Text fw={500}>{texts.areas}</Text>
          {plan === null || plan.deletedAreas.length === 0 ? null : (
            <Text fz="sm">{texts.takesOut(plan.deletedAreas)}</Text>
          )}
          <PlanAreas
            storeId={draft.storeId}
            isFull={draft.scope === "full"}
            areaIds={draft.areaIds}
            onChange={(areaIds) => set({ areaIds })}
          />
        </>
      )}
      <Textarea
        label={texts.peopleLabel}
        description={texts.peopleHint}
        rows={3}
        value={draft.people}
        error={peopleProblem(draft.people)}
        onChange={({ currentTarget }) => set({ people: currentTarget.value })}
      />
      <PlanAssignments draft={draft} onChange={set} />
    </FormDialog>
  );
}
