import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { areas } from "./areas.ts";
import { equivalentFile, readEquivalent } from "./equivalent.ts";
import { groupBy } from "./mutant.ts";
import named from "./named.json" with { type: "json" };
import partial from "./partial.json" with { type: "json" };

/** What a run of one area came to. */
interface Result {
  readonly name: string;
  readonly killed: number;
  readonly survived: number;
  readonly equivalent: number;
}

const page = "docs/MUTANTS.md";

const introduction = `# Mutants

\`npm run mutants\` changes the code one place at a time, where a wrong figure would begin, and runs the tests that should
notice. A mutant that no test notices either changes nothing that anyone could see (equivalent: the reason is below and in
\`${equivalentFile}\`, which the command reads) or wants a test: the command fails on it. It is no part of \`npm test\`.
\`npm run mutants -- passes\` runs one area and renews its row here. How, and why with two tools:
[the decision](decisions/2026-11-22-mutants.md).
`;

const namedHeading = `## Changes that once survived

Each is made by \`npm run mutants -- --named\`, and the test named here fails on it: so it was on
2026-11-23 with all of them but one, which is among the equivalent mutants below.
`;

const heading = [
  "Area",
  "Date",
  "Mutants",
  "Killed",
  "Survived",
  "Equivalent",
  "Killed of those that could be",
];

function rowOf({ name, killed, survived, equivalent }: Result): string[] {
  const date = new Date().toISOString().slice(0, 10);
  const share = killed + survived === 0 ? 0 : (killed / (killed + survived)) * 100;
  const mutants = killed + survived + equivalent;
  return [name, date, ...[mutants, killed, survived, equivalent].map(String), `${share.toFixed(1)}%`];
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** The rows of the page as it is, by area. */
function readRows(path: string): Map<string, string> {
  if (!existsSync(path)) return new Map();
  const lines = readFileSync(path, "utf8").split("\n");
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const name = /^\| ([a-z]+) \| \d{4}-/.exec(line)?.[1];
      return name === undefined ? [] : [[name, line]];
    }),
  );
}

function code(text: string): string {
  return `\`${text.replaceAll("`", "'")}\``;
}

function explanations(root: string): string {
  const byFile = groupBy(readEquivalent(root), ({ file }) => file);
  const parts = [...byFile]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([file, entries]) => {
      const byReason = groupBy(entries, ({ reason }) => reason);
      const items = [...byReason].map(
        ([reason, alike]) => `- ${alike.map(({ change }) => code(change)).join(", ")}: ${reason}`,
      );
      return `### ${file}\n\n${items.join("\n")}\n`;
    });
  return parts.join("\n");
}

/** Which test kills each change that once survived. */
function namedChanges(): string {
  const byFile = groupBy(named, ({ file }) => file);
  const parts = [...byFile]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([file, entries]) => {
      const items = entries.map(({ name, test }) => `- ${name}: ${test}`);
      return `### ${file}\n\n${items.join("\n")}\n`;
    });
  return parts.join("\n");
}

/** Renews the row of an area in docs/MUTANTS.md, and the explanations below the table. */
export function writeTable(root: string, result: Result): void {
  const path = join(root, page);
  const rows = readRows(path).set(result.name, lineOf(rowOf(result)));
  const table = [
    lineOf(heading),
    lineOf(heading.map(() => "---")),
    ...Object.keys(areas).flatMap((name) => rows.get(name) ?? []),
  ].join("\n");
  const missing = Object.keys(areas).filter((name) => !rows.has(name));
  const parts = partial.filter(({ area }) => missing.includes(area)).map(({ text }) => `- ${text}\n`);
  const rest =
    missing.length === 0
      ? ""
      : `\nNot run whole yet: ${missing.join(", ")}. Of them, file by file:\n\n${parts.join("")}`;
  writeFileSync(
    path,
    `${introduction}\n${table}\n${rest}\n${namedHeading}\n${namedChanges()}\n## Equivalent mutants\n\n${explanations(root)}`,
  );
}
