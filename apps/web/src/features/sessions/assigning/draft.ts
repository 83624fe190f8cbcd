import type { Assignments } from "@stocktake/contract";
import type { AssignmentChange } from "./api.ts";

/** What an administrator has changed and not saved yet. */
export interface AssignmentDraft {
  /** Absent where it stays as it is. */
  readonly enforced?: boolean;
  /** The areas of each person whose areas were changed. */
  readonly areas: ReadonlyMap<string, readonly string[]>;
}

export const nothingChanged: AssignmentDraft = { areas: new Map() };

/** The assignments as they will be. */
export function drafted({ enforced, people }: Assignments, draft: AssignmentDraft): Assignments {
  return {
    enforced: draft.enforced ?? enforced,
    people: people.map((person) => ({
      ...person,
      areaIds: [...(draft.areas.get(person._id) ?? person.areaIds)],
    })),
  };
}

/** With areas given to a person, or taken from them. */
export function withAreas(
  { people }: Assignments,
  draft: AssignmentDraft,
  { personId, areaIds, on }: { personId: string; areaIds: readonly string[]; on: boolean },
): AssignmentDraft {
  const stored = people.find(({ _id }) => _id === personId)?.areaIds ?? [];
  const others = (draft.areas.get(personId) ?? stored).filter((id) => !areaIds.includes(id));
  return { ...draft, areas: new Map(draft.areas).set(personId, on ? [...others, ...areaIds] : others) };
}

/** What is sent; a person who has left the session meanwhile is left out. */
export function changeOf({ people }: Assignments, { enforced, areas }: AssignmentDraft): AssignmentChange {
  const changed = people.flatMap(({ _id: personId }) => {
    const areaIds = areas.get(personId);
    return areaIds === undefined ? [] : [{ personId, areaIds: areaIds.length === 0 ? null : [...areaIds] }];
  });
  return {
    ...(enforced === undefined ? {} : { enforced }),
    ...(changed.length === 0 ? {} : { people: changed }),
  };
}

/** Whom an area is assigned to besides one person, by name. */
export function othersOf({ people }: Assignments, areaId: string, personId: string): readonly string[] {
  return people
    .filter(({ _id, areaIds }) => _id !== personId && areaIds.includes(areaId))
    .map(({ name }) => name);
}
