import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import {
  counterLogin,
  events,
  exportReport,
  finishArea,
  listAreas,
  logout,
  postScan,
  postScanBatch,
  reopenArea,
  type ScanPayload,
  undoScan,
  varianceReport,
} from "@stocktake/contract";
import { ApiClient } from "@stocktake/testkit";
import type { Floor } from "../rehearsal/counter.ts";

/** What goes on until it is told to stop, and what it measures. */
export interface Soak {
  readonly floor: Floor;
  readonly endedSessionId: string;
  readonly admin: ApiClient;
  readonly barcodes: readonly string[];
  readonly account: { readonly username: string; readonly password: string };
  readonly stopped: AbortSignal;
  /** Milliseconds that a scan took to be stored. */
  readonly scanned: (milliseconds: number) => void;
  /** Something that was done, for the final tally. */
  readonly did: (what: string) => void;
}

const scansOfArea = 40;
const batchSize = 8;

/** Pauses unless it is over; whether to go on. */
export async function rest({ stopped }: Soak, milliseconds: number): Promise<boolean> {
  await pause(milliseconds, undefined, { signal: stopped }).catch(() => undefined);
  return !stopped.aborted;
}

function placeOf({ floor }: Soak, areaCode: string) {
  const { sessionId, locationId } = floor;
  return { sessionId, locationId, areaCode, deviceId: `device-${areaCode}` };
}

/** The scan of one number of an area's device, made now. */
export function scanOf(soak: Soak, areaCode: string, seq: number): ScanPayload & { readonly seq: number } {
  const { barcodes, floor } = soak;
  return {
    ...placeOf(soak, areaCode),
    storeId: floor.storeId,
    input: barcodes[seq % barcodes.length] ?? "",
    inputType: "barcode",
    seq,
    method: "scan",
    scannedAt: new Date().toISOString(),
    opId: randomUUID(),
  };
}

/**
 * A phone that counts one area again and again; every total that it declares must be the server's. The answer is what it had counted in
 * the area when it was over.
 */
export async function countAgainAndAgain(
  soak: Soak,
  api: ApiClient,
  areaCode: string,
  pauseMs: number,
): Promise<number> {
  const phone = new SoakPhone(soak, api, areaCode);
  const { areas } = await soak.admin.call(listAreas);
  const areaId = areas.find(({ code }) => code === areaCode)?._id ?? "";
  while (await phone.countArea(pauseMs)) {
    await soak.admin.call(reopenArea, { body: { areaId, eraseScans: true } });
    soak.did("areas reopened");
  }
  return phone.counted;
}

class SoakPhone {
  readonly #soak: Soak;
  readonly #api: ApiClient;
  readonly #areaCode: string;
  #seq = 0;
  /** In the area as it is now. */
  counted = 0;

  constructor(soak: Soak, api: ApiClient, areaCode: string) {
    this.#soak = soak;
    this.#api = api;
    this.#areaCode = areaCode;
  }

  /** False once it is over, half-way. */
  async countArea(pauseMs: number): Promise<boolean> {
    const { did } = this.#soak;
    const place = placeOf(this.#soak, this.#areaCode);
    let pass = 1;
    this.counted = 0;
    while (this.counted < scansOfArea) {
      const { seq, pass: current } = await this.#scanOne();
      pass = current;
      await this.#scanBatch();
      this.counted += batchSize + 1;
      if (this.counted > scansOfArea - batchSize) {
        await this.#api.call(undoScan, { body: { ...place, seq, pass, opId: randomUUID() } });
        this.counted -= 1;
        did("undos");
      }
      if (!(await rest(this.#soak, pauseMs))) return false;
    }
    const body = { ...place, declaredTotal: this.counted, pass, opId: randomUUID() };
    const { matched, serverTotal } = await this.#api.call(finishArea, { body });
    if (!matched)
      throw new Error(`Of ${this.counted} answered scans in ${this.#areaCode} there are ${serverTotal}.`);
    did("areas finished");
    return true;
  }

  async #scanOne(): Promise<{ readonly seq: number; readonly pass: number }> {
    const body = this.#payload();
    const began = performance.now();
    const { scan } = await this.#api.call(postScan, { body });
    this.#soak.scanned(performance.now() - began);
    this.#soak.did("scans");
    return { seq: body.seq, pass: scan.pass };
  }

  async #scanBatch(): Promise<void> {
    const scans = Array.from({ length: batchSize }, () => this.#payload());
    const { results } = await this.#api.call(postScanBatch, { body: { scans } });
    for (const result of results) {
      if (!("scan" in result)) throw new Error(`A scan was refused: ${JSON.stringify(result)}`);
      this.#soak.did("scans");
    }
  }

  #payload() {
    this.#seq += 1;
    return scanOf(this.#soak, this.#areaCode, this.#seq);
  }
}

/** A page that listens to the events, loses its connection now and then and comes back. */
export async function listenAndReconnect(soak: Soak, api: ApiClient, stayMs: number): Promise<void> {
  while (!soak.stopped.aborted) {
    // Of its own: of a signal that was made of others, Node 20's fetch may not hear any more once memory was collected.
    const page = new AbortController();
    const headers = { cookie: api.cookie ?? "" };
    const response = await fetch(`${api.url}${events.path}`, { headers, signal: page.signal });
    if (!response.ok) throw new Error(`The event stream answered ${response.status}.`);
    soak.did("event streams");
    const heard = response.text().catch(() => undefined);
    await rest(soak, stayMs);
    page.abort();
    await heard;
  }
}

/** An administrator who reads the report and takes it along. */
export async function readReports(soak: Soak, pauseMs: number): Promise<void> {
  const params = { sessionId: soak.endedSessionId };
  do {
    await soak.admin.call(varianceReport, { params, query: { view: "all" } });
    soak.did("reports");
    await soak.admin.call(exportReport, { params, query: { view: "all" } });
    soak.did("exports");
  } while (await rest(soak, pauseMs));
}

/** Somebody who signs in and out again. */
export async function signInAndOut(soak: Soak, pauseMs: number): Promise<void> {
  do {
    const client = new ApiClient(soak.admin.url);
    await client.call(counterLogin, { body: soak.account });
    await client.call(logout);
    soak.did("logins");
  } while (await rest(soak, pauseMs));
}
