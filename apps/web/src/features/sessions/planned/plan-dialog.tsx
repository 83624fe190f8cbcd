import { NativeSelect, Text, Textarea } from "@mantine/core";
import {
  type CallInput,
  createPlan,
  limits,
  type SessionPlan,
  type SessionScope,
  type Store,
  updatePlan,
} from "@stocktake/contract";
import { type FormEvent, useState } from "react";
import { callApi } from "../../../http/call.ts";
import { staleAfter } from "../../../http/shared-queries.ts";
import { useChange } from "../../../http/use-change.ts";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { lineOf, readPersonLines } from "../../../ui/people/person-lines.ts";
import { messages } from "../messages.ts";
import { ScopeChoice } from "../scope-choice.tsx";
import { areWordsRight, noWords, type SessionWords, SessionWordsFields } from "../session-words.tsx";
import { PlanAreas } from "./plan-areas.tsx";

const texts = messages.planned;

/** A plan as it is being written. */
interface Draft {
  readonly storeId: string;
  readonly words: SessionWords;
  readonly scope: SessionScope;
  readonly areaIds: readonly string[] | null;
  readonly people: string;
}

function draftOf(plan: SessionPlan | null): Draft {
  if (plan === null) return { storeId: "", words: noWords, scope: "full", areaIds: null, people: "" };
  const { storeId, name, note, scope, areaIds, people } = plan;
  const words = { name: name ?? "", note: note ?? "" };
  return { storeId: storeId._id, words, scope, areaIds, people: people.map(lineOf).join("\n") };
}

/** What is wrong with the people as they are written; null where nothing is. */
function peopleProblem(people: string): string | null {
  const lines = readPersonLines(people);
  if (lines.length > limits.invitationsPerList) return texts.tooManyPeople(limits.invitationsPerList);
  const bad = lines.find(({ problem }) => problem !== null);
  return bad === undefined ? null : texts.peopleProblem(bad.line, bad.problem ?? "");
}

function bodyOf({ words, scope, areaIds, people }: Draft): CallInput<typeof updatePlan>["body"] {
  const invited = readPersonLines(people).map(({ counterName, email }) => ({ counterName, email }));
  return {
    ...words,
    scope,
    areaIds: scope === "full" || areaIds === null ? null : [...areaIds],
    people: invited.length === 0 ? null : invited,
  };
}

const canBeSaved = ({ storeId, words, scope, areaIds, people }: Draft) =>
  storeId !== "" &&
  areWordsRight(words) &&
  peopleProblem(people) === null &&
  (scope === "full" || areaIds === null || areaIds.length > 0);

interface PlanDialogProps {
  /** Null for a new one. */
  readonly plan: SessionPlan | null;
  readonly stores: readonly Store[];
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

function useSaving({ plan, stores, onDone, onClose }: PlanDialogProps, draft: Draft) {
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
  const set = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
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
          onChange={({ currentTarget }) => set({ storeId: currentTarget.value, areaIds: null })}
          data={[
            { value: "", label: texts.chooseStore },
            ...stores
              .filter(({ isActive }) => isActive)
              .map(({ _id, name }) => ({ value: _id, label: name })),
          ]}
        />
      ) : null}
      <SessionWordsFields words={draft.words} onChange={(words) => set({ words })} />
      <ScopeChoice value={draft.scope} onChange={(scope) => set({ scope })} />
      {draft.storeId === "" ? null : (
        <>
          <Text fw={500}>{texts.areas}</Text>
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
    </FormDialog>
  );
}
