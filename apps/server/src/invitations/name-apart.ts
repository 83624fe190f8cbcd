import { characterCount, firstCharacters, limits } from "@stocktake/contract";
import { nameKey } from "../kernel/formats.ts";

const number = / \(\d+\)$/;

/** The name, or with the first number behind it that makes it another than those taken: "Anna (2)". */
export function nameApart(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(nameKey(name))) return name;
  const base = name.replace(number, "");
  for (let next = 2; ; next += 1) {
    const suffix = ` (${next})`;
    const apart = `${firstCharacters(base, limits.name - characterCount(suffix)).trimEnd()}${suffix}`;
    if (!taken.has(nameKey(apart))) return apart;
  }
}
