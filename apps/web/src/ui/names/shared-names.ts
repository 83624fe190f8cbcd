import { visibleName } from "@stocktake/contract";

/** Two names with the same key are one to whoever reads them. */
export const keyOf = (name: string) => visibleName(name).toLowerCase();

/** Whether others of the same list have a name too. */
export function sharedNames(names: readonly string[]): (name: string) => boolean {
  const counts = new Map<string, number>();
  for (const key of names.map(keyOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return (name) => (counts.get(keyOf(name)) ?? 0) > 1;
}

/** Whether one of a list has a name already. */
export function takenNames(names: readonly string[]): (name: string) => boolean {
  const keys = new Set(names.map(keyOf));
  return (name) => keys.has(keyOf(name));
}
