import { comparison, number, timeText } from "./comparison.ts";
import type { FileRecord } from "./lines.ts";
import { type Fault, type Verdict, verifyFile } from "./verify.ts";

/*
 * The page that verifies an auditor's file, in words of its own: it shares no code with the server, whose work it checks, and none
 * with the app. The build makes it one page without other files (build/verifier-page.ts).
 */

function part<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no ${id}.`);
  return found;
}

const progress = part("progress", HTMLElement);
const heading = part("verdict", HTMLElement);
const facts = part("facts", HTMLUListElement);
const faults = part("faults", HTMLUListElement);
const printed = part("printed", HTMLElement);
const hash = part("hash", HTMLInputElement);
const found = part("found", HTMLElement);

let log: Pick<Verdict, "entries" | "firstFaulty"> = { entries: new Map(), firstFaulty: 0 };

function list(place: HTMLUListElement, texts: readonly string[]): void {
  place.replaceChildren(
    ...texts.map((text) => {
      const item = document.createElement("li");
      item.textContent = text;
      return item;
    }),
  );
}

function textOf({ line, text }: Fault): string {
  return line === null ? text : `Line ${number(line)}: ${text}`;
}

function storeOf(session: FileRecord | null): string {
  const name: unknown = Object(session?.storeId).name;
  return typeof name === "string" ? name : "Unknown store";
}

function factsOf(verdict: Verdict): string[] {
  const { session, rows, scans, comparisons, samples, lateCommitments, certificates, changedMeanwhile } =
    verdict;
  return [
    `${storeOf(session)}, counted from ${timeText(session?.startedAt)} to ${timeText(session?.endedAt)}`,
    `${number(scans)} scans came to ${number(rows)} rows of the report`,
    `${number(verdict.entries.size)} entries of the audit log`,
    ...(comparisons === 0
      ? []
      : [`${number(comparisons)} figures of areas that were counted more than once`]),
    ...(samples === 0 ? [] : [`${number(samples)} control samples`]),
    ...(lateCommitments === 0
      ? []
      : [
          "A control sample was committed to only after areas had closed, as after a restore: whoever drew it could know what was counted",
        ]),
    ...(certificates === 0 ? [] : [`${number(certificates)} versions of the coverage certificate`]),
    ...(changedMeanwhile === 0
      ? []
      : [
          `${number(changedMeanwhile)} changes were recorded while the file was written: its figures are of before them`,
        ]),
  ];
}

function show(verdict: Verdict): void {
  const { faultCount, lines } = verdict;
  const isRight = faultCount === 0;
  heading.hidden = false;
  heading.className = `verdict ${isRight ? "good" : "bad"}`;
  heading.textContent = isRight
    ? `Everything holds: all ${number(lines)} lines are as they were written.`
    : `${number(faultCount)} ${faultCount === 1 ? "thing does" : "things do"} not hold.`;
  list(facts, factsOf(verdict));
  const left = faultCount - verdict.faults.length;
  list(faults, [...verdict.faults.map(textOf), ...(left === 0 ? [] : [`and ${number(left)} more`])]);
  log = verdict;
  printed.hidden = false;
  compare();
}

function compare(): void {
  const { holds, text } = comparison(hash.value, log);
  if (text === "") return;
  found.className = holds ? "good" : "bad";
  found.textContent = text;
}

async function verify(file: File): Promise<void> {
  heading.hidden = true;
  printed.hidden = true;
  list(facts, []);
  list(faults, []);
  progress.textContent = "Reading...";
  const verdict = await verifyFile(file, (bytes) => {
    progress.textContent = `Reading: ${Math.floor((100 * bytes) / Math.max(1, file.size))}%`;
  });
  progress.textContent = file.name;
  show(verdict);
}

part("file", HTMLInputElement).addEventListener("change", (event) => {
  const [file] = event.currentTarget instanceof HTMLInputElement ? (event.currentTarget.files ?? []) : [];
  if (file === undefined) return;
  verify(file).catch((error: unknown) => {
    progress.textContent = `The file could not be read: ${String(error)}`;
  });
});
hash.addEventListener("input", compare);
progress.textContent = "Waiting for a file.";
