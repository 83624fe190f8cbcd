import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { findOutdated, isAllowed } from "./structure/allowed.ts";
import { checkDrawing, checkFloors, isOfServer } from "./structure/floors.ts";
import { packages, readSources, type SourceFile } from "./structure/modules.ts";
import {
  fileEdges,
  findCircles,
  findImporters,
  type Importers,
  measureSharing,
} from "./structure/sharing.ts";
import { findLargeFolders, findLongFiles, measureFunctions } from "./structure/sizes.ts";
import { checkEvents, checkStatements } from "./structure/statements.ts";

/*
 * Measures how the source is built, and with --check fails where one of ARCHITECTURE.md's rules is broken. With --list
 * the exports and files with one importer are named. A folder as argument measures another checkout.
 */

const flags = process.argv.slice(2).filter((argument) => argument.startsWith("--"));
const onlyChecks = flags.includes("--check");
const [folder] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const root = folder === undefined ? fileURLToPath(new URL("..", import.meta.url)) : resolve(folder);
const sources = readSources(root);
const files = [...sources.values()];
const importers = findImporters(sources);

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "0%" : `${Math.round((part / whole) * 100)}%`;
}

function describePackage(name: string, members: readonly SourceFile[], importers: Importers): void {
  const sharing = measureSharing(members, importers);
  const { median, p90 } = measureFunctions(members);
  const oneImporter = sharing.exportsWithOneImporter.length;
  const single = sharing.filesWithOneImporter.length;
  write(
    `${name}: ${sharing.files} files, ${sharing.exports} exports, ` +
      `${percent(oneImporter, sharing.exports)} of exports with one importer, ` +
      `${percent(single, sharing.files)} of files with one importer, ` +
      `functions: median ${median} lines, p90 ${p90}`,
  );
}

function listSingles(): void {
  const { exportsWithOneImporter, filesWithOneImporter } = measureSharing(files, importers);
  for (const key of [...exportsWithOneImporter, ...filesWithOneImporter]) {
    write(`  ${key} ← ${[...(importers.get(key) ?? [])].join()}`);
  }
}

function finishCheck(found: readonly string[]): void {
  const outdated = findOutdated(found);
  if (outdated.length > 0) write("Not an offender any more; take it out of scripts/structure/allowed.ts:");
  for (const path of outdated) write(`  ${path}`);
  const broken = found.filter((fault) => !isAllowed(fault));
  write(`${broken.length} rules broken, ${found.length - broken.length} exceptions left.`);
  if (broken.length + outdated.length > 0) process.exitCode = 1;
}

/** What each rule finds broken, by the rule's name. */
function findFaults(): Map<string, readonly string[]> {
  const ofServer = files.filter(isOfServer);
  const { upward, circles, pastFaces } = checkFloors(ofServer);
  const named = ([path, size]: [string, number]) => `${path}: ${size}`;
  return new Map([
    ["imports upward", upward],
    ["circles between slices", circles],
    ["imports past a face", pastFaces],
    [
      "the drawing of the floors",
      checkDrawing(readFileSync(resolve(root, "docs/ARCHITECTURE.md"), "utf8"), files),
    ],
    ["circles of files", findCircles(fileEdges(files)).map((circle) => circle.join(", "))],
    ["statements outside their rule", checkStatements(ofServer, importers)],
    ["events published by routes", checkEvents(ofServer)],
    ["folders with more than 25 files", [...findLargeFolders(files)].map(named)],
    ["files with more than 300 lines", [...findLongFiles(root)].map(named)],
  ]);
}

if (!onlyChecks) {
  for (const name of packages) {
    const members = files.filter(({ path }) => path.startsWith(`${name}/`));
    describePackage(name, members, importers);
  }
}
if (flags.includes("--list")) listSingles();
const faults = findFaults();
for (const [rule, found] of faults) {
  const shown = onlyChecks ? found.filter((fault) => !isAllowed(fault)) : found;
  if (onlyChecks && shown.length === 0) continue;
  write(`${rule}: ${shown.length}`);
  for (const fault of shown) write(`  ${fault}`);
}
if (onlyChecks) finishCheck([...faults.values()].flat());
