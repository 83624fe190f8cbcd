import { isDeepStrictEqual } from "node:util";
import { deployReport, listAdjustments, rollbackReport, varianceReport } from "@stocktake/contract";
import type { RunningCount } from "../running-count.ts";
import type { Stage } from "../staging.ts";
import { adjustmentsSince, newestMovement } from "../stock.ts";
import { once, pause, persist } from "./persist.ts";

/** What is deployed, and where. */
interface MovingPlace extends Pick<Stage, "shop"> {
  /** The name of the Shopify location. */
  readonly store: string;
  readonly ended: Pick<RunningCount, "admin" | "sessionId">;
}

/** An administrator who deploys an ended session and rolls it back; what has no answer is looked up, never sent again. */
export class StockMover {
  /** Deploys and rollbacks that have ended. */
  moves = 0;
  readonly #place: MovingPlace;

  constructor(place: MovingPlace) {
    this.#place = place;
  }

  /** Shopify's stock moves by exactly the variance, once, and back. */
  async move(direction: "deploy" | "rollback"): Promise<void> {
    const { shop, store } = this.#place;
    const variances = await this.variances();
    const since = await newestMovement(shop, store);
    const before = (await this.#history()).length;
    await this.#untilAsked(direction, before);
    await this.#untilIdle();
    const sign = direction === "deploy" ? 1 : -1;
    const expected = Object.fromEntries(variances.map(([sku, variance]) => [sku, sign * variance]));
    const moved = await adjustmentsSince(shop, store, since);
    if (!isDeepStrictEqual(moved, expected)) {
      throw new Error(`A ${direction} moved ${JSON.stringify(moved)}, must be ${JSON.stringify(expected)}.`);
    }
    this.moves += 1;
  }

  /** What a deploy has to move, by SKU. */
  async variances() {
    const { admin, sessionId } = this.#place.ended;
    const { items } = await persist(() => admin.call(varianceReport, { params: { sessionId }, query: {} }));
    return items.flatMap(({ sku, variance }) => (variance === 0 ? [] : [[sku, variance] as const]));
  }

  /** Asks until it is known that it was asked for: by an answer, or by the history. */
  async #untilAsked(direction: "deploy" | "rollback", before: number): Promise<void> {
    const { admin, sessionId } = this.#place.ended;
    const params = { sessionId };
    for (;;) {
      const answer = await once<unknown>(() =>
        direction === "deploy"
          ? admin.call(deployReport, { params, body: {} })
          : admin.call(rollbackReport, { params }),
      );
      if (answer !== null) return;
      const history = await this.#history();
      const [newest] = history;
      const asked =
        direction === "deploy"
          ? history.length > before
          : newest !== undefined && (newest.rollingBack || newest.rolledBackAt !== null);
      if (asked) return;
    }
  }

  async #history() {
    const { admin, sessionId } = this.#place.ended;
    const params = { sessionId };
    return (await persist(() => admin.call(listAdjustments, { params }))).adjustments;
  }

  async #untilIdle(): Promise<void> {
    for (;;) {
      const [newest] = await this.#history();
      if (newest !== undefined && newest.progress === null) {
        if (newest.status === "applied") return;
        throw new Error(`A deploy or rollback has come to ${newest.status}: ${newest.note}`);
      }
      await pause();
    }
  }
}
