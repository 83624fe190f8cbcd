import { parseArgs } from "node:util";
import {
  type CountRow,
  checkCountRows,
  limits,
  productMap,
  sessionProgress,
  storeCountRows,
} from "@stocktake/contract";
import { ApiClient, type Product } from "@stocktake/testkit";
import { loadText, machineText } from "./machine.ts";
import { proveOnProduct } from "./on-product.ts";
import { beginSession, inviteCounter, openStore } from "./rehearsal/store-floor.ts";
import { unsharedBarcodes } from "./scans/load.ts";

const help = `A file of counts, sent as the page sends it: checked, stored, and stored again. By default 100,000 rows.

  npm run bench:count-file -- [--rows N]
`;

const { values } = parseArgs({
  options: { rows: { type: "string", default: "100000" }, help: { type: "boolean", default: false } },
});

const areas = 100;
/** For as many rows as an issue asked of it; others take their part of it. */
const aimSeconds = 10;
const aimRows = 100_000;
const password = "the count file's own password";
const say = (line: string) => process.stdout.write(`${line}\n`);

/** Half of the rows are of somebody else than whoever loads them. */
function rowsOf(count: number, barcodes: readonly string[]): CountRow[] {
  const now = Date.now();
  return Array.from({ length: count }, (_nothing, index) => {
    const at = new Date(now + index).toISOString();
    const code = barcodes[index % barcodes.length] ?? "";
    const who = index % 2 === 0 ? "Mia" : "";
    return {
      row: index + 2,
      area: `A${1 + Math.floor((index * areas) / count)}`,
      code,
      quantity: "2",
      who,
      when: at,
      at,
    };
  });
}

async function inParts(rows: readonly CountRow[], send: (part: CountRow[]) => Promise<number>) {
  const began = performance.now();
  let counted = 0;
  let from = 0;
  const sendRest = async () => {
    while (from < rows.length) {
      const part = rows.slice(from, from + limits.countRowsPerCall);
      from += part.length;
      const rowsCounted = await send(part);
      counted += rowsCounted;
    }
  };
  await Promise.all([sendRest(), sendRest()]);
  return { counted, seconds: (performance.now() - began) / 1_000 };
}

async function load(product: Product): Promise<string[]> {
  const admin = new ApiClient(product.url);
  const codes = Array.from({ length: areas }, (_nothing, index) => `A${index + 1}`);
  const floor = await beginSession(admin, await openStore(admin, password, codes));
  await inviteCounter(admin, floor, "Mia");
  const { products } = await admin.call(productMap, { query: { storeId: floor.storeId } });
  const rows = rowsOf(Number(values.rows), unsharedBarcodes(products));
  const params = { id: floor.sessionId };
  const bodyOf = (part: CountRow[]) => ({ file: "counts.csv", rows: part, countAlike: false });
  let asOf = 0;
  const check = async (part: CountRow[]) => {
    const answer = await admin.call(checkCountRows, { params, body: bodyOf(part) });
    asOf = Math.max(asOf, answer.asOf ?? 0);
    return answer.counted.rows;
  };
  const store = async (part: CountRow[]) =>
    (await admin.call(storeCountRows, { params, body: { ...bodyOf(part), asOf } })).counted.rows;
  const checked = await inParts(rows, check);
  const stored = await inParts(rows, store);
  const again = await inParts(rows, store);
  const { areas: progress } = await admin.call(sessionProgress, { params: { id: floor.sessionId } });
  const there = progress.reduce((sum, area) => sum + area.scans, 0);
  say(`${rows.length} rows of ${products.length} products in ${areas} areas`);
  say(`checked in ${checked.seconds.toFixed(1)} s, stored in ${stored.seconds.toFixed(1)} s`);
  say(`stored again in ${again.seconds.toFixed(1)} s: ${again.counted} counted`);
  const aim = (aimSeconds * rows.length) / aimRows;
  return [
    ...(stored.counted === rows.length ? [] : [`${stored.counted} rows were counted`]),
    ...(again.counted === 0 ? [] : [`${again.counted} rows were counted twice`]),
    ...(there === 2 * rows.length ? [] : [`${there} units are there`]),
    ...(stored.seconds <= aim ? [] : [`stored in ${stored.seconds.toFixed(1)} s, the aim is ${aim} s`]),
  ];
}

if (values.help) say(help);
else {
  say(`${machineText()}, ${loadText()}`);
  await proveOnProduct(password, load);
}
