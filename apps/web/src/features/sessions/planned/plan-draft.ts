import {
  type Assignments,
  type CallInput,
  limits,
  type SeenPlan,
  type SessionPlan,
  type SessionScope,
  type updatePlan,
} from "@stocktake/contract";
import { lineOf, readPersonLines } from "../../../ui/people/person-lines.ts";
import { isDescriptionValid, noDescription, type SessionDescription } from "../session-description.tsx";
import { plannedMessages } from "./messages.ts";

const texts = plannedMessages;

/** A plan as it is being written. */
export interface PlanDraft {
  readonly storeId: string;
  readonly words: SessionDescription;
  readonly scope: SessionScope;
  readonly areaIds: readonly string[] | null;
  readonly people: string;
  /** Whose areas are which, by address: whoever is written in again has them again. */
  readonly assigned: ReadonlyMap<string, readonly string[]>;
  readonly assignmentsEnforced: boolean;
}

export const nothingAssigned = { assigned: new Map<string, readonly string[]>(), assignmentsEnforced: false };

export function draftOf(plan: SessionPlan | null): PlanDraft {
  if (plan === null) {
    return {
      storeId: "",
      words: noDescription,
      scope: "full",
      areaIds: null,
      people: "",
      ...nothingAssigned,
    };
  }
  const { storeId, name, note, scope, areaIds, people, assignmentsEnforced } = plan;
  const words = { name: name ?? "", note: note ?? "" };
  const assigned = new Map(people.map((person) => [keyOf(person), person.areaIds]));
  const written = people.map(lineOf).join("\n");
  return { storeId: storeId._id, words, scope, areaIds, people: written, assigned, assignmentsEnforced };
}

const keyOf = ({ email }: { readonly email: string }) => email.toLowerCase();

/** The areas that are counted; null for all. */
export const countedIn = ({ scope, areaIds }: PlanDraft) => (scope === "full" ? null : areaIds);

/** What of areas is counted by the plan as it is written. */
export function onlyCounted<Item>(
  draft: PlanDraft,
  items: readonly Item[],
  idOf: (item: Item) => string,
): Item[] {
  const areaIds = countedIn(draft);
  if (areaIds === null) return [...items];
  const counted = new Set(areaIds);
  return items.filter((item) => counted.has(idOf(item)));
}

/** Whose areas are which, as the running session will have it; without the lines that can't be read yet. */
export function assignmentsOf(draft: PlanDraft): Assignments {
  const people = readPersonLines(draft.people).filter(({ problem }) => problem === null);
  return {
    enforced: draft.assignmentsEnforced,
    people: people.map((person) => ({
      ...{ _id: keyOf(person), kind: "invitation", name: person.counterName, email: person.email },
      areaIds: onlyCounted(draft, draft.assigned.get(keyOf(person)) ?? [], (id) => id),
    })),
  };
}

/** What is wrong with the people as they are written; null where nothing is. */
export function peopleProblem(people: string): string | null {
  const lines = readPersonLines(people);
  if (lines.length > limits.invitationsPerList) return texts.tooManyPeople(limits.invitationsPerList);
  const bad = lines.find(({ problem }) => problem !== null);
  return bad === undefined ? null : texts.peopleProblem(bad.line, bad.problem ?? "");
}

export function bodyOf(draft: PlanDraft): CallInput<typeof updatePlan>["body"] {
  const areaIds = countedIn(draft);
  const { people, enforced } = assignmentsOf(draft);
  const invited = people.map(({ name, email, areaIds: own }) => ({ counterName: name, email, areaIds: own }));
  return {
    ...draft.words,
    scope: draft.scope,
    areaIds: areaIds === null ? null : [...areaIds],
    people: invited.length === 0 ? null : invited,
    assignmentsEnforced: enforced,
  };
}

/** What an edit of the plan began with, as the server compares it. */
export function seenOf(plan: SessionPlan): SeenPlan {
  const { name, note, scope, areaIds, people, assignmentsEnforced } = plan;
  return { name, note, scope, areaIds, people, assignmentsEnforced };
}

export const canBeSaved = ({ storeId, words, scope, areaIds, people }: PlanDraft) =>
  storeId !== "" &&
  isDescriptionValid(words) &&
  peopleProblem(people) === null &&
  (scope === "full" || areaIds === null || areaIds.length > 0);
