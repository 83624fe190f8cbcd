import type { Area } from "@stocktake/contract";

/** Whom the area is assigned to, by name. */
export function namesOf({ assigned }: Area): readonly string[] {
  return assigned?.names ?? [];
}

export function isMine({ assigned }: Area): boolean {
  return assigned?.mine === true;
}

/** Only others may count it: the administrator assigned it to them and enforces that. */
export function isOthersAlone({ assigned }: Area): boolean {
  return assigned?.enforced === true && !assigned.mine;
}

/** The lower, the sooner a person is to count it. */
function rankOf(area: Area): number {
  if (area.status === "closed") return 5;
  if (isMine(area)) return 0;
  if (isOthersAlone(area)) return 4;
  if (area.status === "in_progress") return 3;
  return namesOf(area).length === 0 ? 1 : 2;
}

/** The areas assigned to this person first, then those not started, and last those that they can't count; else as they were. */
export function inCountingOrder<Listed extends Area>(areas: readonly Listed[]): readonly Listed[] {
  return areas.toSorted((left, right) => rankOf(left) - rankOf(right));
}
