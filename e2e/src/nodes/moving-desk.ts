import {
  adjustCount,
  adminLogin,
  deployReport,
  endSession,
  listAdjustments,
  listOperations,
  type Operation,
  readOperation,
  startSession,
  varianceReport,
} from "@stocktake/contract";
import { ApiClient, type Product } from "@stocktake/testkit";
import { once, pause, persist } from "../kill/persist.ts";
import { type RunningCount, startCount } from "../running-count.ts";
import { adminPassword, type Stage } from "../staging.ts";
import { adjustmentsSince, findArticle, newestMovement } from "../stock.ts";

const store = "Linden Quay Harbour Street";

/** What was asked of a node. */
interface Asked {
  readonly operationId: string;
}

/** An administrator with an ended session that is to be deployed, and the next session of its store that is to be started. */
export class MovingDesk {
  readonly #stage: Stage;
  readonly #ended: RunningCount;
  readonly #expected: Readonly<Record<string, number>>;
  readonly #since: number;

  private constructor(
    stage: Stage,
    ended: RunningCount,
    expected: Readonly<Record<string, number>>,
    since: number,
  ) {
    this.#stage = stage;
    this.#ended = ended;
    this.#expected = expected;
    this.#since = since;
  }

  static async open(stage: Stage): Promise<MovingDesk> {
    const areas = [{ code: "A1", name: "Shelf" }];
    const ended = await startCount(stage, { store, location: "Floor", scope: "partial", areas });
    const { admin, sessionId } = ended;
    await admin.call(endSession, { body: { sessionId } });
    const params = { sessionId };
    const snapshot = await stage.shop.snapshot();
    for (const [index, size] of ["S", "M"].entries()) {
      const { sku } = findArticle(snapshot, "Jetty Shorts Sand", size);
      await admin.call(adjustCount, { params, body: { sku, newCount: 100 + index } });
    }
    const { items } = await admin.call(varianceReport, { params, query: {} });
    const moving = items.filter(({ variance }) => variance !== 0);
    const expected = Object.fromEntries(moving.map(({ sku, variance }) => [sku, variance]));
    return new MovingDesk(stage, ended, expected, await newestMovement(stage.shop, store));
  }

  /**
   * Asks one node for a deploy and for the start of the store's next session. Shopify keeps it waiting for both answers; what
   * the deploy's call asks for is carried out.
   */
  async askOf(node: Product): Promise<readonly [deploy: Asked, start: Asked]> {
    const { shop } = this.#stage;
    const client = new ApiClient(node.url);
    await client.call(adminLogin, { body: { password: adminPassword } });
    const query = { field: "shop", kind: "query" } as const;
    await shop.addFaults({ faults: [{ match: query, effect: { kind: "hang", when: "before" } }] });
    const body = { storeId: this.#ended.storeId, scope: "partial" } as const;
    // Both answers are lost with the node.
    void once<unknown>(() => client.call(startSession, { body }));
    await shop.untilHanging();
    const match = { field: "inventoryAdjustQuantities" };
    await shop.addFaults({ faults: [{ match, effect: { kind: "hang", when: "after" } }] });
    const params = { sessionId: this.#ended.sessionId };
    void once<unknown>(() => client.call(deployReport, { params, body: {} }));
    while ((await newestMovement(shop, store)) === this.#since) await pause();
    return [await this.#underWay("deploy"), await this.#underWay("start")];
  }

  async #underWay(kind: Operation["kind"]): Promise<Asked> {
    for (;;) {
      const { operations } = await persist(() => this.#ended.admin.call(listOperations));
      const found = operations.find((operation) => operation.kind === kind);
      if (found !== undefined) return { operationId: found._id };
      await pause();
    }
  }

  /** How an operation has ended, and how many milliseconds after `from` that was seen. */
  async ended({ operationId }: Asked, from: number) {
    for (;;) {
      const params = { id: operationId };
      const { operation } = await persist(() => this.#ended.admin.call(readOperation, { params }));
      if (operation.status !== "running") return { ...operation, afterMs: performance.now() - from };
      await pause();
    }
  }

  /** The start that failed is asked for again; returns the session's id. */
  async startAgain(): Promise<string> {
    const body = { storeId: this.#ended.storeId, scope: "partial" } as const;
    const answer = await persist(() => this.#ended.admin.call(startSession, { body }));
    if (!("session" in answer)) throw new Error("Starting the session took longer than a call.");
    return answer.session._id;
  }

  /** Asks one node for a session's end. Shopify keeps it waiting. */
  async askEndOf(node: Product, sessionId: string): Promise<Asked> {
    const { shop } = this.#stage;
    const client = new ApiClient(node.url);
    await client.call(adminLogin, { body: { password: adminPassword } });
    const match = { field: "shop", kind: "query" } as const;
    await shop.addFaults({ faults: [{ match, effect: { kind: "hang", when: "before" } }] });
    // The answer is lost with the node.
    void once<unknown>(() => client.call(endSession, { body: { sessionId } }));
    await shop.untilHanging();
    return this.#underWay("end");
  }

  /** The end that failed is asked for again. */
  async endAgain(sessionId: string): Promise<void> {
    const answer = await persist(() => this.#ended.admin.call(endSession, { body: { sessionId } }));
    if (!("session" in answer)) throw new Error("Ending the session took longer than a call.");
  }

  /** What Shopify was moved by since the beginning, beside what it had to be, and what the history says of it. */
  async outcome() {
    const params = { sessionId: this.#ended.sessionId };
    const { adjustments } = await this.#ended.admin.call(listAdjustments, { params });
    return {
      moved: await adjustmentsSince(this.#stage.shop, store, this.#since),
      expected: this.#expected,
      notes: adjustments.map(({ note }) => note),
      statuses: adjustments.map(({ status }) => status),
    };
  }
}
