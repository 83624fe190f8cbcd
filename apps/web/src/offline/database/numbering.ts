/**
 * The number of the next thing that this device tells, by which the server recognises an earlier one that arrives later. It is larger than the one
 * before, whatever the clock says, and no smaller than the time: where the storage was lost and the page writes a new one under the same device
 * id, numbers go on beyond those that are forgotten.
 */
export function nextNumber(last: number | null, now: number): number {
  return Math.max((last ?? 0) + 1, Math.floor(now));
}
