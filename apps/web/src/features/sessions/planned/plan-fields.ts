import { lineOf, readPersonLines } from "../../../ui/people/person-lines.ts";
import type { Drafts, FormField } from "../../../ui/shared-forms/use-shared-form.ts";
import { messages } from "../messages.ts";
import { descriptionFields } from "../session-description.tsx";
import { plannedMessages as texts } from "./messages.ts";
import { countedIn, onlyCounted, type PlanDraft } from "./plan-draft.ts";

/** The people as the server writes them, one a line; a line that can't be read as it was typed. */
function linesOf({ people }: PlanDraft): string[] {
  return people.split("\n").flatMap((line) => {
    const read = readPersonLines(line);
    return read.some(({ problem }) => problem !== null) ? [line] : read.map(lineOf);
  });
}

/** The lines of both, without those that either has taken out; null where both have changed one person's. */
function bothPeople({ base, mine, theirs }: Drafts<PlanDraft>): PlanDraft | null {
  const [began, own, other] = [linesOf(base), linesOf(mine), linesOf(theirs)];
  const kept = own.filter((line) => !began.includes(line) || other.includes(line));
  const added = other.filter((line) => !began.includes(line) && !own.includes(line));
  const people = [...kept, ...added].join("\n");
  const addresses = readPersonLines(people).map(({ email }) => email.toLowerCase());
  return new Set(addresses).size < addresses.length ? null : { ...mine, people };
}

/** Each person's areas as whoever has changed them has them; null where both have changed those of one person. */
function bothAssigned({ base, mine, theirs }: Drafts<PlanDraft>): PlanDraft | null {
  const merged = new Map(mine.assigned);
  for (const address of new Set([...base.assigned.keys(), ...theirs.assigned.keys()])) {
    const areas = (draft: PlanDraft) => JSON.stringify(draft.assigned.get(address) ?? []);
    const [began, own, other] = [areas(base), areas(mine), areas(theirs)];
    if (other === began || other === own) continue;
    if (own !== began) return null;
    merged.set(address, theirs.assigned.get(address) ?? []);
  }
  return { ...mine, assigned: merged };
}

const [name, note] = descriptionFields;

/** Whose areas are which, as it is saved: of those that are counted, and without people who have none. */
const assignedIn = (draft: PlanDraft) =>
  [...draft.assigned]
    .map(([address, areaIds]): [string, string[]] => [address, onlyCounted(draft, areaIds, (id) => id)])
    .filter(([, areaIds]) => areaIds.length > 0);

const assignedText = (draft: PlanDraft) =>
  assignedIn(draft)
    .map(([address, areaIds]) => texts.areasOf(address, areaIds.length))
    .join("; ");

/** What of a plan two people may change at the same time. */
export const planFields: readonly FormField<PlanDraft>[] = [
  ...[name, note].map(
    (field): FormField<PlanDraft> => ({
      label: field.label,
      valueOf: ({ words }) => field.valueOf(words),
      textOf: ({ words }) => field.textOf(words),
      take: (into, from) => ({ ...into, words: field.take(into.words, from.words) }),
    }),
  ),
  {
    label: texts.scope,
    valueOf: ({ scope }) => scope,
    textOf: ({ scope }) => messages.scopes[scope].label,
    take: (into, { scope }) => ({ ...into, scope }),
  },
  {
    label: texts.areas,
    valueOf: (draft) => countedIn(draft)?.toSorted() ?? null,
    textOf: (draft) => {
      const areaIds = countedIn(draft);
      return areaIds === null ? texts.allAreas : texts.someAreas(areaIds.length);
    },
    // Of a full count there is none to show them in.
    take: (into, { scope, areaIds }) => ({ ...into, scope, areaIds }),
  },
  {
    label: texts.peopleField,
    valueOf: linesOf,
    textOf: ({ people }) => people,
    take: (into, { people }) => ({ ...into, people }),
    both: bothPeople,
  },
  {
    label: texts.assignedField,
    valueOf: (draft) => assignedIn(draft).toSorted(),
    textOf: assignedText,
    take: (into, { assigned }) => ({ ...into, assigned }),
    both: bothAssigned,
  },
  {
    label: texts.enforcedField,
    valueOf: ({ assignmentsEnforced }) => assignmentsEnforced,
    textOf: ({ assignmentsEnforced }) => (assignmentsEnforced ? texts.enforced : texts.notEnforced),
    take: (into, { assignmentsEnforced }) => ({ ...into, assignmentsEnforced }),
  },
];
