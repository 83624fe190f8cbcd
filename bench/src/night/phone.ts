import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { events, finishArea, postScan, postScanBatch, type ScanPayload } from "@stocktake/contract";
import type { ApiClient } from "@stocktake/testkit";
import type { Floor } from "../rehearsal/counter.ts";
import type { Figures } from "./figures.ts";

/** How the phones of a night count. */
export interface Pace {
  readonly scanEveryMs: number;
  /** A connection drops once in so many scans on average, for `offlineMs`; what is scanned meanwhile is kept. */
  readonly scansBetweenDrops: number;
  readonly offlineMs: number;
}

interface PhoneDependencies {
  readonly api: ApiClient;
  readonly floor: Floor;
  /** Areas that this phone alone counts, one after the other. */
  readonly areas: readonly string[];
  readonly barcodes: readonly string[];
  readonly figures: Figures;
  readonly pace: Pace;
  readonly stopped: AbortSignal;
}

/** One device of a night: scans, loses its connection, sends what it kept, and listens to the server's events meanwhile. */
export class NightPhone {
  readonly deviceId = `phone-${randomUUID().slice(0, 8)}`;
  readonly #dependencies: PhoneDependencies;
  readonly #kept: ScanPayload[] = [];
  #seq = 0;
  #area = 0;
  #inArea = 0;
  #offlineUntil = 0;
  #isFinishing = false;

  constructor(dependencies: PhoneDependencies) {
    this.#dependencies = dependencies;
  }

  /** Asks the phone to close its area before its next scan, once it is online. */
  finishSoon(): void {
    this.#isFinishing = true;
  }

  /** Counts until it is stopped, then sends what it holds. */
  async count(): Promise<void> {
    const { pace, stopped } = this.#dependencies;
    // Two thousand people do not scan in step.
    await pause(Math.random() * pace.scanEveryMs);
    const listening = this.#listen();
    let due = performance.now();
    while (!stopped.aborted) {
      await this.#step();
      due += pace.scanEveryMs;
      await pause(Math.max(0, due - performance.now()), undefined, { signal: stopped }).catch(
        () => undefined,
      );
    }
    await this.#sendKept();
    await listening;
  }

  async #step(): Promise<void> {
    const { figures, pace } = this.#dependencies;
    const now = performance.now();
    if (now < this.#offlineUntil) {
      this.#kept.push(this.#payload());
      return;
    }
    await this.#sendKept();
    if (this.#isFinishing && this.#inArea > 0) return this.#finish();
    if (Math.random() * pace.scansBetweenDrops < 1) {
      figures.drops += 1;
      this.#offlineUntil = now + pace.offlineMs;
      this.#kept.push(this.#payload());
      return;
    }
    await this.#scan();
  }

  async #scan(): Promise<void> {
    const { api, figures } = this.#dependencies;
    const body = this.#payload();
    await figures.timed("scan", () => api.call(postScan, { body }));
    figures.stored += 1;
  }

  async #sendKept(): Promise<void> {
    const { api, figures } = this.#dependencies;
    if (this.#kept.length === 0) return;
    const scans = this.#kept.splice(0);
    const { results } = await figures.timed("kept scans after a drop", () =>
      api.call(postScanBatch, { body: { scans } }),
    );
    for (const result of results) {
      if (!("scan" in result)) throw new Error(`A kept scan was refused: ${JSON.stringify(result)}`);
    }
    figures.stored += scans.length;
  }

  async #finish(): Promise<void> {
    const { api, figures } = this.#dependencies;
    const body = { ...this.#place(), declaredTotal: this.#inArea, opId: randomUUID() };
    const { matched, serverTotal } = await figures.timed("finish", () => api.call(finishArea, { body }));
    if (!matched) throw new Error(`Of ${this.#inArea} scans of an area there are ${serverTotal}.`);
    this.#isFinishing = false;
    this.#area += 1;
    this.#inArea = 0;
  }

  async #listen(): Promise<void> {
    const { api, stopped } = this.#dependencies;
    const page = new AbortController();
    stopped.addEventListener("abort", () => page.abort());
    const headers = { cookie: api.cookie ?? "" };
    const response = await fetch(`${api.url}${events.path}`, { headers, signal: page.signal });
    if (!response.ok) throw new Error(`The event stream answered ${response.status}.`);
    // It ends by being aborted.
    await response.text().catch(() => undefined);
  }

  #place() {
    const { floor, areas } = this.#dependencies;
    const areaCode = areas[this.#area];
    if (areaCode === undefined) throw new Error("A phone has counted all of its areas.");
    const { sessionId, locationId } = floor;
    return { sessionId, locationId, areaCode, deviceId: this.deviceId };
  }

  #payload(): ScanPayload {
    const { barcodes, floor } = this.#dependencies;
    this.#seq += 1;
    this.#inArea += 1;
    return {
      ...this.#place(),
      storeId: floor.storeId,
      input: barcodes[(this.#seq * 7919) % barcodes.length] ?? "",
      inputType: "barcode",
      seq: this.#seq,
      method: "scan",
      opId: randomUUID(),
      scannedAt: new Date().toISOString(),
    };
  }
}
