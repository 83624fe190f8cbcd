/** The names of a store's areas in the order of its codes, a list a location: those beside each other are adjacent. */
export type AreaOrder = readonly (readonly string[])[];

/** The names of the areas beside each one that has any. */
export function areasBeside(areaOrder: AreaOrder): ReadonlyMap<string, ReadonlySet<string>> {
  const beside = new Map<string, Set<string>>();
  const note = (one: string, other: string) => beside.set(one, (beside.get(one) ?? new Set()).add(other));
  for (const names of areaOrder) {
    for (const [index, name] of names.entries()) {
      const next = names[index + 1];
      if (next === undefined) continue;
      note(name, next);
      note(next, name);
    }
  }
  return beside;
}
