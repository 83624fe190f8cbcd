import { NativeSelect, Text, Textarea } from "@mantine/core";
import { type CallInput, createPlan, type SessionPlan, type Store, updatePlan } from "@stocktake/contract";
import { useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { callApi } from "../../../http/call.ts";
import { useSendsMail } from "../../../http/health.ts";
import { staleAfter } from "../../../http/query-roots.ts";
import { plansQuery } from "../../../http/shared-queries.ts";
import { useChange } from "../../../http/use-change.ts";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { MeanwhileNotice } from "../../../ui/shared-forms/meanwhile-notice.tsx";
import { useSharedForm } from "../../../ui/shared-forms/use-shared-form.ts";
import { ScopeChoice } from "../scope-choice.tsx";
import { SessionDescriptionFields } from "../session-description.tsx";
import { plannedMessages } from "./messages.ts";
import { PlanAreas } from "./plan-areas.tsx";
import { PlanAssignments } from "./plan-assignments.tsx";
import {
  bodyOf,
  canBeSaved,
  draftOf,
  nothingAssigned,
  type PlanDraft,
  peopleProblem,
  seenOf,
} from "./plan-draft.ts";
import { planFields } from "./plan-fields.ts";

const texts = plannedMessages;

interface PlanDialogProps {
  /** As it was when it was opened; null for a new one. */
  readonly plan: SessionPlan | null;
  readonly stores: readonly Store[];
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

type PlanBody = CallInput<typeof updatePlan>["body"];

function useSaving({ plan }: PlanDialogProps) {
  return useChange(({ storeId, ...body }: PlanBody & { readonly storeId: string }) => {
    return plan === null
      ? callApi(createPlan, { body: { storeId, ...body } })
      : callApi(updatePlan, { params: { id: plan._id }, body });
  }, staleAfter.plan);
}

/** The plan as it is by now; undefined once it is gone, or while nothing is known of it. */
function usePlanNow({ plan }: PlanDialogProps): SessionPlan | undefined {
  const { data: plans = [] } = useQuery(plansQuery);
  return plans.find(({ _id }) => _id === plan?._id);
}

/** Prepares a session, or changes one that is prepared. */
export function PlanDialog(props: PlanDialogProps) {
  const { plan, stores, onDone, onClose } = props;
  const change = useSaving(props);
  const now = usePlanNow(props);
  const form = useSharedForm({
    opened: plan,
    now: change.isPending || change.isSuccess ? undefined : now,
    draftOf,
    fields: planFields,
  });
  const { draft, seen } = form;
  const sendsMail = useSendsMail();
  const set = (changes: Partial<PlanDraft>) => form.set({ ...draft, ...changes });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { storeId } = draft;
    change.send({ storeId, ...bodyOf(draft), ...(seen === null ? {} : { seen: seenOf(seen) }) }, () => {
      onDone(texts.saved(stores.find(({ _id }) => _id === storeId)?.name ?? ""));
      onClose();
    });
  };
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
          {seen === null || seen.deletedAreas.length === 0 ? null : (
            <Text fz="sm">{texts.takesOut(seen.deletedAreas)}</Text>
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
        description={texts.peopleHint(sendsMail)}
        rows={3}
        value={draft.people}
        error={peopleProblem(draft.people)}
        onChange={({ currentTarget }) => set({ people: currentTarget.value })}
      />
      <PlanAssignments draft={draft} onChange={set} />
      <MeanwhileNotice form={form} />
    </FormDialog>
  );
}
