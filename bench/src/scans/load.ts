import { randomUUID } from "node:crypto";
import { postScanBatch, type ScanPayload } from "@stocktake/contract";
import autocannon from "autocannon";
import { percentile } from "../times.ts";

/** What one run over HTTP or in-process came to. */
export interface Rate {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly mean: number;
  readonly p50: number;
  readonly p99: number;
}

/** The barcodes that only one product has: no scan of one is a question. */
export function unsharedBarcodes(products: readonly { readonly barcode: string | null }[]): string[] {
  const codes = products.flatMap(({ barcode }) => (barcode === null ? [] : [barcode]));
  return codes.filter((code) => codes.indexOf(code) === codes.lastIndexOf(code));
}

/** Makes scans as our client sends them: own device each, running numbers, an operation id, the pass, a time. */
export class ScanSource {
  readonly #floor: Pick<ScanPayload, "sessionId" | "storeId" | "locationId">;
  readonly #areas: readonly string[];
  readonly #barcodes: readonly string[];
  readonly #seq = new Map<string, number>();
  readonly #run = randomUUID().slice(0, 8);
  readonly #devices: number;
  #made = 0;

  constructor(
    floor: Pick<ScanPayload, "sessionId" | "storeId" | "locationId">,
    areas: readonly string[],
    barcodes: readonly string[],
    devices = 50,
  ) {
    this.#devices = devices;
    this.#floor = floor;
    this.#areas = areas;
    this.#barcodes = barcodes;
  }

  next(): ScanPayload {
    const number = this.#made++;
    const deviceId = `device-${this.#run}-${number % this.#devices}`;
    const seq = (this.#seq.get(deviceId) ?? 0) + 1;
    this.#seq.set(deviceId, seq);
    return {
      ...this.#floor,
      areaCode: this.#areas[number % this.#areas.length] ?? "",
      input: this.#barcodes[(number * 7919) % this.#barcodes.length] ?? "",
      inputType: "barcode",
      deviceId,
      seq,
      method: "scan",
      scannedAt: new Date().toISOString(),
      pass: 2,
      opId: randomUUID(),
    };
  }
}

export type Batch = { readonly scans: readonly ScanPayload[] };

/** Batches of one device after the other, as devices send what they have kept. */
export class BatchSource {
  readonly #source: ScanSource;
  readonly #size: number;

  constructor(source: ScanSource, size: number) {
    this.#source = source;
    this.#size = size;
  }

  next(): Batch {
    return { scans: Array.from({ length: this.#size }, () => this.#source.next()) };
  }
}

/** Sends batches one after the other for some seconds, each by the next login; returns the scans a second. */
export async function sendBatches(
  url: string,
  cookies: readonly string[],
  batches: BatchSource,
  seconds: number,
): Promise<number> {
  let [sent, stored, spent] = [0, 0, 0];
  while (spent < seconds * 1000) {
    // Made before the time is taken: it is no part of what is measured.
    const batch = batches.next();
    const body = JSON.stringify(batch);
    const headers = { "content-type": "application/json", cookie: cookies[sent % cookies.length] ?? "" };
    const began = performance.now();
    const response = await fetch(url, { method: "POST", headers, body });
    const { results } = postScanBatch.answer.parse(await response.json());
    spent += performance.now() - began;
    sent += 1;
    stored += results.filter(({ httpStatus }) => httpStatus === 201).length;
    if (stored !== sent * batch.scans.length) throw new Error(`${url} did not store every scan of a batch.`);
  }
  return stored / (spent / 1000);
}

/** The same, stored in-process. */
export async function storeBatches(
  store: (scans: readonly ScanPayload[]) => Promise<void>,
  batches: BatchSource,
  seconds: number,
): Promise<number> {
  let [stored, spent] = [0, 0];
  while (spent < seconds * 1000) {
    const { scans } = batches.next();
    const began = performance.now();
    await store(scans);
    spent += performance.now() - began;
    stored += scans.length;
  }
  return stored / (spent / 1000);
}

/** Posts scans for some seconds, by each of the logins in turn; every response must be a 2xx. */
export async function loadOverHttp(
  url: string,
  cookies: readonly string[],
  source: ScanSource,
  connections: number,
  seconds: number,
): Promise<Rate> {
  const { result, times } = await shoot({
    url,
    connections,
    duration: seconds,
    method: "POST",
    requests: [
      {
        setupRequest: (request) => {
          const scan = source.next();
          // A device stays with its login.
          const cookie = cookies[Number(scan.deviceId.split("-").at(-1)) % cookies.length] ?? "";
          const headers = { "content-type": "application/json", cookie };
          return { ...request, headers, body: JSON.stringify(scan) };
        },
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url} returned ${result.non2xx} refusals and ${result.errors} errors.`);
  }
  return rateOf(result.requests.total / result.duration, connections, times);
}

/** A run of autocannon with the milliseconds that each call took: its own p50 is rounded to whole ones. */
function shoot(options: autocannon.Options): Promise<{ result: autocannon.Result; times: number[] }> {
  const times: number[] = [];
  return new Promise((resolve, reject) => {
    const run = autocannon(options, (error, result) => (error ? reject(error) : resolve({ result, times })));
    run.on("response", (_client, _status, _bytes, time) => times.push(time));
  });
}

function rateOf(perSecond: number, concurrency: number, times: readonly number[]): Rate {
  const rising = times.toSorted((left, right) => left - right);
  const [p50, p99] = [percentile(rising, 0.5), percentile(rising, 0.99)];
  return { perSecond, mean: (concurrency * 1000) / perSecond, p50, p99 };
}

/** Runs `one` over and over at a concurrency for some seconds. */
export async function loadInProcess(
  one: (scan: ScanPayload) => Promise<void>,
  source: ScanSource,
  concurrency: number,
  seconds: number,
): Promise<Rate> {
  const times: number[] = [];
  const began = performance.now();
  const until = began + seconds * 1000;
  const worker = async () => {
    while (performance.now() < until) {
      const start = performance.now();
      await one(source.next());
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const elapsed = (performance.now() - began) / 1000;
  return rateOf(times.length / elapsed, concurrency, times);
}
