import {
  adjustCount,
  counterLogin,
  createCounter,
  deployReport,
  listAdjustments,
  listCountAdjustments,
  listCounters,
  rollbackReport,
  updateCounter,
  varianceReport,
} from "@stocktake/contract";
import { ApiClient } from "@stocktake/testkit";
import { type Article, adjustmentsSince, newestMovement } from "../stock.ts";
import type { KillStage } from "./kill-stage.ts";
import { once, pause, persist } from "./persist.ts";

const store = "Linden Quay Harbour Street";

/** An administrator who adjusts counts, deploys and rolls back; what has no answer is looked up, never sent again. */
export class ReportDesk {
  /** The counts that were set, in their order, and whether that was answered. */
  readonly set: { readonly count: number; readonly answered: boolean }[] = [];
  /** Deploys and rollbacks that have ended. */
  moves = 0;
  readonly #stage: KillStage;
  readonly #article: Article;

  constructor(stage: KillStage, article: Article) {
    this.#stage = stage;
    this.#article = article;
  }

  /** At least until something was moved: on a slow machine the kills leave no time to set a count between them. */
  async work(stopped: () => boolean): Promise<void> {
    while (!stopped() || this.moves === 0) {
      await this.#adjust();
      // A kill may have taken the first count, and a deploy of nothing leaves no trace to wait for.
      if ((await this.#variances()).length === 0) continue;
      await this.#move("deploy");
      await this.#move("rollback");
    }
  }

  async #adjust(): Promise<void> {
    const { admin, sessionId } = this.#stage.ended;
    const newCount = 100 + this.set.length;
    const body = { sku: this.#article.sku, newCount };
    const answer = await once(() => admin.call(adjustCount, { params: { sessionId }, body }));
    this.set.push({ count: newCount, answered: answer !== null });
  }

  /** Shopify's stock moves by exactly the variance, once, and back. */
  async #move(direction: "deploy" | "rollback"): Promise<void> {
    const { shop } = this.#stage;
    const variances = await this.#variances();
    const since = await newestMovement(shop, store);
    const before = (await this.#history()).length;
    await this.#untilAsked(direction, before);
    await this.#untilIdle();
    const sign = direction === "deploy" ? 1 : -1;
    const expected = Object.fromEntries(variances.map(([sku, variance]) => [sku, sign * variance]));
    const moved = await adjustmentsSince(shop, store, since);
    if (JSON.stringify(moved) !== JSON.stringify(expected)) {
      throw new Error(`A ${direction} moved ${JSON.stringify(moved)}, must be ${JSON.stringify(expected)}.`);
    }
    this.moves += 1;
  }

  async #variances() {
    const { admin, sessionId } = this.#stage.ended;
    const { items } = await persist(() => admin.call(varianceReport, { params: { sessionId }, query: {} }));
    return items.flatMap(({ sku, variance }) => (variance === 0 ? [] : [[sku, variance] as const]));
  }

  /** Asks until it is known that it was asked for: by an answer, or by the history. */
  async #untilAsked(direction: "deploy" | "rollback", before: number): Promise<void> {
    const { admin, sessionId } = this.#stage.ended;
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
    const { admin, sessionId } = this.#stage.ended;
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

  /** The counts that were answered and are not there just once, or are there and were never sent. */
  async wrong(): Promise<string[]> {
    const { admin, sessionId } = this.#stage.ended;
    const query = { sku: this.#article.sku };
    const { counts } = await admin.call(listCountAdjustments, { params: { sessionId }, query });
    return this.set.flatMap(({ count, answered }) => {
      const times = counts.filter(({ newCount }) => newCount === count).length;
      const isRight = answered ? times === 1 : times <= 1;
      return isRight ? [] : [`the count ${count} (answered: ${answered}) is there ${times} times`];
    });
  }
}

/** An administrator who makes accounts and changes their passwords. */
export class AccountDesk {
  readonly #stage: KillStage;
  readonly #answered = new Map<string, { readonly id: string; password: string | null }>();
  #made = 0;

  constructor(stage: KillStage) {
    this.#stage = stage;
  }

  /** Accounts that were made and passwords that were changed with an answer. */
  get changes(): number {
    return this.#answered.size;
  }

  async work(stopped: () => boolean): Promise<void> {
    const { admin } = this.#stage.running;
    while (!stopped()) {
      this.#made += 1;
      const username = `counter-${this.#made}`;
      const body = { username, password: `first-${this.#made}` };
      const made = await once(() => admin.call(createCounter, { body }));
      if (made === null) continue;
      const account = { id: made.counter._id, password: body.password as string | null };
      this.#answered.set(username, account);
      const second = { password: `second-${this.#made}` };
      const changed = await once(() =>
        admin.call(updateCounter, { params: { id: account.id }, body: second }),
      );
      // Without an answer nobody knows which of the two it is.
      account.password = changed === null ? null : second.password;
    }
  }

  async wrong(signIns: number): Promise<string[]> {
    const { admin } = this.#stage.running;
    const { counters } = await admin.call(listCounters);
    const names = counters.map(({ username }) => username);
    const wrong = [...this.#answered.keys()].filter(
      (username) => names.filter((name) => name === username).length !== 1,
    );
    const known = [...this.#answered].filter(([, { password }]) => password !== null).slice(-signIns);
    for (const [username, { password }] of known) {
      const client = new ApiClient(this.#stage.product.url);
      const outcome = await client.attempt(counterLogin, { body: { username, password: password ?? "" } });
      if (!outcome.ok) wrong.push(`${username} can't sign in with the password that was set`);
    }
    return wrong;
  }
}
