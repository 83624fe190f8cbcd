import { limits } from "../limits.ts";
import { isFolderName, lengthProblem, visibleCode, visibleName } from "../text.ts";

/** One line of the bulk entry, read. `problem` is a sentence for the person who typed it, or null. */
export interface AreaLine {
  readonly line: number;
  /** The line as it was typed. */
  readonly typed: string;
  readonly code: string;
  readonly name: string;
  readonly problem: string | null;
}

function problemOf(
  code: string,
  name: string,
  seen: ReadonlySet<string>,
  taken: ReadonlySet<string>,
): string | null {
  const key = code.toLowerCase();
  if (code === "") return "The code is missing.";
  if (isFolderName(code)) return "The code can't be . or .. alone.";
  const tooLong =
    lengthProblem("The code", code, limits.areaCode) ?? lengthProblem("The name", name, limits.name);
  if (tooLong !== null) return tooLong;
  if (seen.has(key)) return "This code is listed twice.";
  if (taken.has(key)) return "This location already has this code.";
  return null;
}

/**
 * Reads the bulk entry of areas (specification, section 5): one a line as CODE,NAME; the name is optional and defaults
 * to the code; blank lines are ignored. Codes are compared without case, with those the location has in `takenCodes`.
 */
export function readAreaLines(entry: string, takenCodes: Iterable<string> = []): AreaLine[] {
  const taken = new Set(Array.from(takenCodes, (code) => code.toLowerCase()));
  const seen = new Set<string>();
  const lines: AreaLine[] = [];
  for (const [index, raw] of entry.split(/\r\n|\r|\n/).entries()) {
    if (visibleName(raw) === "") continue;
    const comma = raw.indexOf(",");
    const code = visibleCode(comma < 0 ? raw : raw.slice(0, comma));
    const name = visibleName(comma < 0 ? "" : raw.slice(comma + 1)) || code;
    lines.push({ line: index + 1, typed: raw, code, name, problem: problemOf(code, name, seen, taken) });
    seen.add(code.toLowerCase());
  }
  return lines;
}
