import { type Mutant, readText } from "./mutant.ts";

/** A survivor that changes nothing anyone could see, and why. It is named by its line's text, not by its number. */
export interface Listed extends Pick<Mutant, "file" | "within" | "change"> {
  readonly reason: string;
}

export const equivalentFile = "scripts/mutants/equivalent.json";

export function readEquivalent(root: string): Listed[] {
  const list: unknown = JSON.parse(readText(root, equivalentFile));
  if (!Array.isArray(list) || !list.every(isListed)) {
    throw new Error(`${equivalentFile} must hold entries with file, within, change and reason.`);
  }
  return list;
}

function isListed(value: unknown): value is Listed {
  const fields: Record<string, unknown> = { ...(typeof value === "object" ? value : null) };
  return ["file", "within", "change", "reason"].every(
    (name) => typeof fields[name] === "string" && fields[name] !== "",
  );
}

function keyOf({ file, within, change }: Pick<Mutant, "file" | "within" | "change">): string {
  return JSON.stringify([file, within, change]);
}

/** The survivors that nobody has explained, and the explanations that no survivor needs any more. */
export function findUnlisted(
  mutants: readonly Mutant[],
  listed: readonly Listed[],
): { readonly unlisted: readonly Mutant[]; readonly outdated: readonly Listed[] } {
  const survivors = mutants.filter(({ status }) => status === "survived");
  const explained = new Set(listed.map(keyOf));
  const survived = new Set(survivors.map(keyOf));
  return {
    unlisted: survivors.filter((mutant) => !explained.has(keyOf(mutant))),
    outdated: listed.filter((entry) => !survived.has(keyOf(entry))),
  };
}
