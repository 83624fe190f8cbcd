import type { AssignablePerson, Assignments } from "@stocktake/contract";
import type { AssignmentChange } from "./api.ts";

/** What an administrator has changed and not saved yet. */
export interface AssignmentDraft {
  /** Absent where it stays as it is. */
  readonly enforced?: boolean;
  /** By person, each area that was given or taken, and whether it is theirs: what others change meanwhile stays. */
  readonly areas: ReadonlyMap<string, ReadonlyMap<string, boolean>>;
}

export const nothingChanged: AssignmentDraft = { areas: new Map() };

/** The assignments as they will be. */
export function drafted({ enforced, people }: Assignments, draft: AssignmentDraft): Assignments {
  return {
    enforced: draft.enforced ?? enforced,
    people: people.map((person) => ({
      ...person,
      areaIds: areasOf(person, draft.areas.get(person._id)),
    })),
  };
}

function areasOf({ areaIds }: AssignablePerson, changed: ReadonlyMap<string, boolean> = new Map()): string[] {
  const given = [...changed].filter(([, on]) => on).map(([id]) => id);
  return [...areaIds.filter((id) => !changed.has(id)), ...given];
}

/** With areas given to a person, or taken from them; what is as it is stored is no change. */
export function withAreas(
  { people }: Assignments,
  draft: AssignmentDraft,
  { personId, areaIds, on }: { personId: string; areaIds: readonly string[]; on: boolean },
): AssignmentDraft {
  const stored = people.find(({ _id }) => _id === personId)?.areaIds ?? [];
  const chosen = [...(draft.areas.get(personId) ?? []), ...areaIds.map((id) => [id, on] as const)];
  const changed = new Map(chosen);
  for (const [id, isOn] of changed) if (stored.includes(id) === isOn) changed.delete(id);
  return { ...draft, areas: new Map(draft.areas).set(personId, changed) };
}

/** What is sent; a person who has left the session meanwhile is left out. */
export function changeOf({ people }: Assignments, { enforced, areas }: AssignmentDraft): AssignmentChange {
  const changed = people.flatMap((person) => {
    const ofPerson = areas.get(person._id);
    if (ofPerson === undefined || ofPerson.size === 0) return [];
    const areaIds = areasOf(person, ofPerson);
    const seenAreaIds = person.areaIds;
    return [{ personId: person._id, areaIds: areaIds.length === 0 ? null : areaIds, seenAreaIds }];
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
