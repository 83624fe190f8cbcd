import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/*
 * Which test holds which sentence of the specification: reads docs/specification-sentences-*.json and the tests that cite
 * a sentence by [spec:id] in their title, and writes docs/SPECIFICATION-*.md. Fails where a sentence has no test, or a
 * test cites a sentence that there is not. With --check it writes nothing, and fails where what is committed is stale.
 */

const onlyChecks = process.argv.includes("--check");
const root = fileURLToPath(new URL("..", import.meta.url));
const docs = join(root, "docs");
const testFolders = ["apps", "packages", "e2e"];
const testFile = /\.(?:test|spec)\.tsx?$/;
const listFile = /^specification-sentences-(.+)\.json$/;
// The title as it is written in the code: a string of any kind of quotes on one line, with its citations.
const citingTitle = /(["'`])((?:(?!\1).)*\[spec:(?:(?!\1).)*)\1/g;
const citation = /\[spec:([^\]]+)\]/g;

interface Sentence {
  readonly id: string;
  readonly section: string;
  readonly sentence: string;
}

interface Proof {
  readonly title: string;
  readonly file: string;
}

function testFilesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ["node_modules", "dist"].includes(entry.name) ? [] : testFilesUnder(path);
    return testFile.test(entry.name) ? [path] : [];
  });
}

function citationsIn(path: string): [id: string, proof: Proof][] {
  const file = relative(root, path).replaceAll("\\", "/");
  return [...readFileSync(path, "utf8").matchAll(citingTitle)].flatMap(([, , text = ""]) => {
    const title = text.replaceAll(citation, "").trim();
    return [...text.matchAll(citation)].map(([, id = ""]): [string, Proof] => [id, { title, file }]);
  });
}

function collectProofs(): Map<string, Proof[]> {
  const proofs = new Map<string, Proof[]>();
  const files = testFolders.flatMap((folder) => testFilesUnder(join(root, folder))).sort();
  for (const [id, proof] of files.flatMap(citationsIn)) proofs.set(id, [...(proofs.get(id) ?? []), proof]);
  return proofs;
}

function sentenceOf(value: unknown): Sentence {
  const fields: Record<string, unknown> = { ...(typeof value === "object" ? value : null) };
  const { id, section, sentence } = fields;
  if (typeof id === "string" && typeof section === "string" && typeof sentence === "string") {
    return { id, section, sentence };
  }
  throw new Error(`Not a sentence with id, section and sentence: ${JSON.stringify(value)}`);
}

function readLists(): { side: string; sentences: Sentence[] }[] {
  return readdirSync(docs)
    .sort()
    .flatMap((name) => {
      const side = listFile.exec(name)?.[1];
      if (side === undefined) return [];
      const list: unknown = JSON.parse(readFileSync(join(docs, name), "utf8"));
      if (!Array.isArray(list)) throw new Error(`${name} holds no list.`);
      return [{ side, sentences: list.map(sentenceOf) }];
    });
}

const cell = (text: string) => text.replaceAll("|", "\\|");

function row({ id, section, sentence }: Sentence, proofs: ReadonlyMap<string, readonly Proof[]>): string {
  const tests = (proofs.get(id) ?? []).map(({ title, file }) => `${cell(title)} (\`${file}\`)`);
  return `| ${id} | ${cell(section)} | ${cell(sentence)} | ${tests.join("<br>")} |`;
}

function tableOf(side: string, sentences: readonly Sentence[], proofs: ReadonlyMap<string, Proof[]>): string {
  const lines = [
    `# The specification's sentences, ${side} side, and the tests that hold them`,
    "",
    "Written by `npm run specification`; the sentences lie in",
    `\`docs/specification-sentences-${side}.json\`, the tests cite them as \`[spec:id]\`.`,
    "",
    "| id | section | sentence | tests |",
    "|---|---|---|---|",
    ...sentences.map((sentence) => row(sentence, proofs)),
  ];
  return `${lines.join("\n")}\n`;
}

/** Writes a side's table, or reports what is wrong with the one that is there. */
function settleTable(side: string, table: string): string[] {
  const name = `SPECIFICATION-${side.toUpperCase()}.md`;
  const path = join(docs, name);
  if (!onlyChecks) writeFileSync(path, table);
  const isStale = !existsSync(path) || readFileSync(path, "utf8") !== table;
  return isStale ? [`docs/${name} is stale: run npm run specification.`] : [];
}

const proofs = collectProofs();
const lists = readLists();
const stale = lists.flatMap(({ side, sentences }) => settleTable(side, tableOf(side, sentences, proofs)));

const known = new Set(lists.flatMap(({ sentences }) => sentences.map(({ id }) => id)));
const untested = [...known].filter((id) => !proofs.has(id)).map((id) => `No test holds ${id}.`);
const unknown = [...proofs]
  .filter(([id]) => !known.has(id))
  .map(([id, [proof]]) => `${proof?.file ?? ""} cites ${id}, which no list has.`);
const complaints = [...untested, ...unknown, ...stale];
for (const complaint of complaints) process.stderr.write(`${complaint}\n`);
process.stdout.write(`${known.size} sentences, ${untested.length} without a test.\n`);
if (complaints.length > 0) process.exitCode = 1;
