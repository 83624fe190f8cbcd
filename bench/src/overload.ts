import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import {
  type ErrorCode,
  limits,
  postScanBatch,
  productMap,
  type ScanPayload,
  sessionProgress,
} from "@stocktake/contract";
import { ApiClient, type Product } from "@stocktake/testkit";
import { loadText, machineText } from "./machine.ts";
import { proveOnProduct } from "./on-product.ts";
import { beginSession, inviteCounter, openStore } from "./rehearsal/store-floor.ts";
import { memoryDuring } from "./report/processes.ts";
import { ScanSource, unsharedBarcodes } from "./scans/load.ts";

const help = `Phones that all come back at once, each with a full queue: by default a thousand with 500 scans each, ten times what the
server holds. It sheds with 503 or 429 and Retry-After, the phones keep their queues and send again, and in the end every scan is there once.

  npm run bench:overload -- [--phones N]
`;

const { values } = parseArgs({
  options: { phones: { type: "string", default: "1000" }, help: { type: "boolean", default: false } },
});

/** Ten phones to a login, which may send 2,000 scans a second. */
const phonesOfLogin = 10;
const areas = 25;
/** What the server may hold more than before, in mebibytes, however many come. */
const mayHold = 150;
const password = "the overload's own password";
const say = (line: string) => process.stdout.write(`${line}\n`);

/** What the phones were told. */
class Tally {
  readonly refusals = new Map<ErrorCode, number>();
  withoutRetryAfter = 0;
  /** Connections that broke before an answer. */
  unanswered = 0;
  stored = 0;

  refused(code: ErrorCode, retryAfter: string | null): void {
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
    if (retryAfter === null) this.withoutRetryAfter += 1;
  }
}

/** Null where there was no answer: fetch throws a TypeError then. */
async function attempt(api: ApiClient, scans: readonly ScanPayload[]) {
  try {
    return await api.attempt(postScanBatch, { body: { scans: [...scans] } });
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Sends its queue until it is taken; after a refusal as late as the server asks. */
async function sendQueue(api: ApiClient, source: ScanSource, tally: Tally): Promise<void> {
  const scans = Array.from({ length: limits.scansPerCall }, () => source.next());
  for (;;) {
    const answer = await attempt(api, scans);
    if (answer === null) {
      tally.unanswered += 1;
      await pause(1_000 * (1 + Math.random()));
      continue;
    }
    if (answer.ok) {
      for (const result of answer.body.results) {
        if (!("scan" in result)) throw new Error(`A scan was refused: ${JSON.stringify(result)}`);
      }
      tally.stored += scans.length;
      return;
    }
    const retryAfter = answer.headers.get("retry-after");
    tally.refused(answer.body.code, retryAfter);
    if (![429, 503].includes(answer.status)) throw new Error(`Refused: ${JSON.stringify(answer.body)}`);
    await pause(1_000 * Number(retryAfter ?? 1) * (1 + Math.random()));
  }
}

async function openFloor(product: Product, phones: number) {
  const admin = new ApiClient(product.url);
  const codes = Array.from({ length: areas }, (_nothing, index) => `A${index + 1}`);
  const floor = await beginSession(admin, await openStore(admin, password, codes));
  const { products } = await admin.call(productMap, { query: { storeId: floor.storeId } });
  const logins: ApiClient[] = [];
  for (let index = 0; index < Math.ceil(phones / phonesOfLogin); index += 1) {
    logins.push(await inviteCounter(admin, floor, `phone-${index}`));
  }
  return { admin, floor, codes, barcodes: unsharedBarcodes(products), logins };
}

async function overload(product: Product, phones: number): Promise<string[]> {
  const { admin, floor, codes, barcodes, logins } = await openFloor(product, phones);
  const tally = new Tally();
  const began = performance.now();
  const memory = await memoryDuring(product.process.pid ?? 0, () =>
    Promise.all(
      Array.from({ length: phones }, (_nothing, index) => {
        const login = logins[index % logins.length];
        return login && sendQueue(login, new ScanSource(floor, codes, barcodes, 1), tally);
      }),
    ),
  );
  const seconds = (performance.now() - began) / 1_000;
  const { devices } = await admin.call(sessionProgress, { params: { id: floor.sessionId } });
  const there = devices.reduce((sum, device) => sum + device.scans, 0);
  say(
    `${phones} phones with ${limits.scansPerCall} scans each: all stored after ${seconds.toFixed(1)} s ` +
      `(${Math.round(tally.stored / seconds)} a second), ${there} are there`,
  );
  const refusals = Array.from(tally.refusals, ([code, times]) => `${times} ${code}`).join(", ") || "none";
  say(`refused: ${refusals}; connections that broke: ${tally.unanswered}`);
  say(`memory ${memory.before.toFixed(0)} MiB before, ${memory.peak.toFixed(0)} MiB at most`);
  return [
    ...(there === tally.stored ? [] : [`${tally.stored} scans were answered, ${there} are there`]),
    ...(tally.withoutRetryAfter === 0 ? [] : [`${tally.withoutRetryAfter} refusals without Retry-After`]),
    ...(memory.peak - memory.before <= mayHold ? [] : [`more than ${mayHold} MiB were taken`]),
  ];
}

async function main(): Promise<void> {
  say(`${machineText()}, ${loadText()} before`);
  await proveOnProduct(password, (product) => overload(product, Number(values.phones)));
}

if (values.help) process.stdout.write(help);
else await main();
