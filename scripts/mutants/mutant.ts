import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A change of one place in a file, as offsets in its text. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** What was done, for people. */
  readonly kind: string;
}

/** Invalid: no test can say anything of it, as PostgreSQL takes no such statement. */
export type Status = "killed" | "survived" | "invalid";

export interface Mutant {
  /** From the root, with slashes. */
  readonly file: string;
  readonly line: number;
  /** The whole line that it begins in, trimmed: what names it however the lines above it move. */
  readonly within: string;
  readonly kind: string;
  /** "original → replacement", on one line. */
  readonly change: string;
  readonly status: Status;
}

/** What vitest says of a test or hook that took too long: on a busy machine it may be the machine. */
export const testTimeout = /timed out in \d+ms/;

const shownLength = 160;

function shown(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > shownLength ? `${line.slice(0, shownLength)}…` : line;
}

/** Describes a change of a file whose status is known. */
export function describe(file: string, text: string, change: Change, status: Status): Mutant {
  const { start, end, replacement, kind } = change;
  const line = text.slice(0, start).split("\n").length;
  const within = (text.split("\n")[line - 1] ?? "").trim();
  const described = `${shown(text.slice(start, end))} → ${shown(replacement)}`;
  return { file, line, within, kind, change: described, status };
}

export function applyChange(text: string, { start, end, replacement }: Change): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

export function groupBy<Member>(
  members: readonly Member[],
  keyOf: (member: Member) => string,
): Map<string, Member[]> {
  const groups = new Map<string, Member[]>();
  for (const member of members) groups.set(keyOf(member), [...(groups.get(keyOf(member)) ?? []), member]);
  return groups;
}

export function readText(root: string, file: string): string {
  return readFileSync(join(root, file), "utf8");
}
