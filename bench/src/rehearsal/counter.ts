import {
  finishArea,
  limits,
  postScan,
  postScanBatch,
  type ScanPayload,
  type ScanResult,
  undoScan,
} from "@stocktake/contract";
import type { ApiClient } from "@stocktake/testkit";
import type { Measures } from "./measures.ts";
import type { Oracle } from "./oracle.ts";
import type { AreaPlan, PlannedScan } from "./plan.ts";
import type { Dice } from "./random.ts";

/** Where a counter counts. */
export interface Floor {
  readonly sessionId: string;
  readonly storeId: string;
  readonly locationId: string;
}

interface CounterDependencies {
  readonly api: ApiClient;
  readonly deviceId: string;
  readonly floor: Floor;
  readonly oracle: Oracle;
  readonly dice: Dice;
  readonly measures: Measures;
}

const tries = 20;

/** One simulated device: numbers its scans, repeats and reorders what it sends, and loses responses. */
export class SimulatedCounter {
  readonly #dependencies: CounterDependencies;
  #seq = 0;

  constructor(dependencies: CounterDependencies) {
    this.#dependencies = dependencies;
  }

  /** Counts an area to its end; one that was declared wrongly is counted again from zero. */
  async countArea(area: AreaPlan): Promise<void> {
    const { oracle } = this.#dependencies;
    let pass = await this.#scanAll(area, area.scans, null);
    const total = area.scans.filter(({ article, undone }) => article !== null && !undone).length;
    if (area.miscounted) {
      await this.#finish(area, total + 1, pass, false);
      pass = await this.#scanAll(area, area.scans, pass + 1);
    }
    await this.#finish(area, total, pass, true);
    for (const { article, undone } of area.scans) if (article !== null && !undone) oracle.counted(article, 1);
  }

  async #scanAll(area: AreaPlan, scans: readonly PlannedScan[], pass: number | null): Promise<number> {
    let current = pass;
    for (let from = 0; from < scans.length; ) {
      const many = this.#dependencies.dice.chance(0.3);
      const group = scans.slice(from, from + (many ? 1 + this.#dependencies.dice.below(60) : 1));
      current = many
        ? await this.#sendBatch(area, group, current)
        : await this.#sendOne(area, group, current);
      from += group.length;
    }
    return current ?? 1;
  }

  #payload(area: AreaPlan, scan: PlannedScan, pass: number | null): ScanPayload {
    this.#seq += 1;
    return {
      ...this.#dependencies.floor,
      areaCode: area.code,
      input: scan.input,
      inputType: scan.inputType,
      deviceId: this.#dependencies.deviceId,
      seq: this.#seq,
      method: "scan",
      scannedAt: new Date().toISOString(),
      ...(pass === null ? {} : { pass }),
      // Bare clients send none; ours always does. Both must be counted once.
      ...(this.#dependencies.dice.chance(0.8) ? { opId: this.#dependencies.dice.uuid() } : {}),
    };
  }

  async #sendOne(area: AreaPlan, group: readonly PlannedScan[], pass: number | null): Promise<number | null> {
    let current = pass;
    for (const scan of group) {
      const payload = this.#payload(area, scan, current);
      const { api, measures } = this.#dependencies;
      const began = performance.now();
      const result = await this.#persist((signal) => api.call(postScan, { body: payload, signal }));
      measures.scan(performance.now() - began);
      this.#expect(scan, result.status, result.reason);
      current = result.scan.pass;
      if (scan.undone) await this.#undo(area, payload.seq, current);
    }
    return current;
  }

  async #sendBatch(
    area: AreaPlan,
    group: readonly PlannedScan[],
    pass: number | null,
  ): Promise<number | null> {
    const { api, dice, measures } = this.#dependencies;
    const pairs = group.map((scan) => ({ scan, payload: this.#payload(area, scan, pass) }));
    // Out of order, and some twice in one batch.
    const sent = dice
      .shuffled([...pairs, ...pairs.filter(() => dice.chance(0.02))])
      .slice(0, limits.scansPerCall);
    const body = { scans: sent.map(({ payload }) => payload) };
    const { results } = await this.#persist((signal) => api.call(postScanBatch, { body, signal }));
    measures.batch(group.length);
    let current = pass;
    for (const [index, { scan }] of sent.entries())
      current = this.#readResult(scan, results[index]) ?? current;
    for (const { scan, payload } of pairs) if (scan.undone) await this.#undo(area, payload.seq, current ?? 1);
    return current;
  }

  #readResult(scan: PlannedScan, result: ScanResult | undefined): number | null {
    if (result === undefined || !("scan" in result))
      throw new Error(`A scan was refused: ${JSON.stringify(result)}`);
    this.#expect(scan, result.status, result.reason);
    return result.scan.pass;
  }

  #expect(scan: PlannedScan, status: string, reason: string | null): void {
    const wanted = scan.article === null ? "unresolved" : "counted";
    if (status !== wanted) throw new Error(`${scan.input} became ${status} (${reason}), must be ${wanted}.`);
  }

  async #undo(area: AreaPlan, seq: number, pass: number): Promise<void> {
    const { api, deviceId, floor, dice } = this.#dependencies;
    const { sessionId, locationId } = floor;
    const body = { sessionId, locationId, deviceId, areaCode: area.code, seq, pass, opId: dice.uuid() };
    const { undone } = await this.#persist((signal) => api.call(undoScan, { body, signal }));
    if (undone.seq !== seq) throw new Error(`Undo took back ${undone.seq}, must be ${seq}.`);
  }

  async #finish(area: AreaPlan, declaredTotal: number, pass: number, matches: boolean): Promise<void> {
    const { api, deviceId, floor, dice } = this.#dependencies;
    const { sessionId, locationId } = floor;
    const body = {
      sessionId,
      locationId,
      deviceId,
      areaCode: area.code,
      declaredTotal,
      pass,
      opId: dice.uuid(),
    };
    const result = await this.#persist((signal) => api.call(finishArea, { body, signal }));
    const serverTotal = matches ? declaredTotal : declaredTotal - 1;
    if (result.matched !== matches || result.serverTotal !== serverTotal) {
      throw new Error(`Finishing ${area.code} returned ${JSON.stringify(result)}, must be ${serverTotal}.`);
    }
  }

  /** Sends until it accepts a response; on the way repeats, hangs up early and loses responses. */
  async #persist<Result>(send: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const { dice, measures } = this.#dependencies;
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      const timeout = new AbortController();
      if (dice.chance(0.03)) setTimeout(() => timeout.abort(), dice.below(8));
      const doubled = dice.chance(0.02) ? send(new AbortController().signal).catch(ignoreLostAnswer) : null;
      try {
        const result = await send(timeout.signal);
        await doubled;
        if (!dice.chance(0.01)) return result;
        measures.lost();
      } catch (error) {
        await doubled;
        if (!timeout.signal.aborted) throw error;
        measures.lost();
      }
    }
    throw new Error(`No response in ${tries} tries.`);
  }
}

function ignoreLostAnswer(): null {
  return null;
}
