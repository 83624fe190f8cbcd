import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { areas } from "./areas.ts";
import { equivalentFile, readEquivalent } from "./equivalent.ts";
import { filesOf, type Measured, readMeasured } from "./measured.ts";
import { groupBy } from "./mutant.ts";
import named from "./named.json" with { type: "json" };
import partial from "./partial.json" with { type: "json" };

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

const figures = ["Date", "Mutants", "Killed", "Survived", "Equivalent", "Killed of those that could be"];

/** The sum of what was measured of some files; its date is the oldest of theirs. */
function rowOf(name: string, files: readonly Measured[]): string {
  const sum = (figure: "killed" | "survived" | "equivalent") =>
    files.reduce((total, file) => total + file[figure], 0);
  const [killed, survived, equivalent] = [sum("killed"), sum("survived"), sum("equivalent")];
  const share = killed + survived === 0 ? 0 : (killed / (killed + survived)) * 100;
  const date = files.map((file) => file.date).sort()[0] ?? "";
  const counts = [killed + survived + equivalent, killed, survived, equivalent].map(String);
  return lineOf([name, date, ...counts, `${share.toFixed(1)}%`]);
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

function tableOf(first: string, rows: readonly string[]): string {
  const heading = [first, ...figures];
  return [lineOf(heading), lineOf(heading.map(() => "---")), ...rows].join("\n");
}

/** Of areas that were not run whole: what is known of them. */
function restOf(missing: readonly string[], measured: readonly Measured[]): string {
  if (missing.length === 0) return "";
  const texts = partial.filter(({ area }) => missing.includes(area)).map(({ text }) => `- ${text}\n`);
  const rows = measured
    .filter(({ area }) => missing.includes(area))
    .map((entry) => rowOf(`${entry.area}: ${entry.file}`, [entry]));
  const table = rows.length === 0 ? "" : `\n${tableOf("File of such an area", rows)}\n`;
  return `\nNot run whole yet: ${missing.join(", ")}. Of them, file by file:\n\n${texts.join("")}${table}`;
}

/** Renews docs/MUTANTS.md: the rows of the areas of which every file is measured, and the explanations below the table. */
export function writeTable(root: string): void {
  const path = join(root, page);
  const measured = readMeasured(root);
  const rows = readRows(path);
  for (const [name, area] of Object.entries(areas)) {
    const files = filesOf(area);
    const own = measured.filter((entry) => entry.area === name && files.includes(entry.file));
    if (own.length === files.length) rows.set(name, rowOf(name, own));
  }
  const table = tableOf(
    "Area",
    Object.keys(areas).flatMap((name) => rows.get(name) ?? []),
  );
  const missing = Object.keys(areas).filter((name) => !rows.has(name));
  writeFileSync(
    path,
    `${introduction}\n${table}\n${restOf(missing, measured)}\n${namedHeading}\n${namedChanges()}\n## Equivalent mutants\n\n${explanations(root)}`,
  );
}
