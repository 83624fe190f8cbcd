import {
  adjustCount,
  counterLogin,
  createCounter,
  listCountAdjustments,
  listCounters,
  updateCounter,
} from "@stocktake/contract";
import { ApiClient } from "@stocktake/testkit";
import type { Article } from "../stock.ts";
import type { KillStage } from "./kill-stage.ts";
import { once } from "./persist.ts";
import { StockMover } from "./stock-mover.ts";

const store = "Linden Quay Harbour Street";

/** An administrator who adjusts counts, deploys and rolls back; what has no answer is looked up, never sent again. */
export class ReportDesk {
  /** The counts that were set, in their order, and whether that was answered. */
  readonly set: { readonly count: number; readonly answered: boolean }[] = [];
  readonly #stage: KillStage;
  readonly #article: Article;
  readonly #mover: StockMover;

  constructor(stage: KillStage, article: Article) {
    this.#stage = stage;
    this.#article = article;
    this.#mover = new StockMover({ shop: stage.shop, store, ended: stage.ended });
  }

  /** Deploys and rollbacks that have ended. */
  get moves(): number {
    return this.#mover.moves;
  }

  /** At least until something was moved: on a slow machine the kills leave no time to set a count between them. */
  async work(stopped: () => boolean): Promise<void> {
    while (!stopped() || this.moves === 0) {
      await this.#adjust();
      // A kill may have taken the first count, and a deploy of nothing leaves no trace to wait for.
      if ((await this.#mover.variances()).length === 0) continue;
      await this.#mover.move("deploy");
      await this.#mover.move("rollback");
    }
  }

  async #adjust(): Promise<void> {
    const { admin, sessionId } = this.#stage.ended;
    const newCount = 100 + this.set.length;
    const body = { sku: this.#article.sku, newCount };
    const answer = await once(() => admin.call(adjustCount, { params: { sessionId }, body }));
    this.set.push({ count: newCount, answered: answer !== null });
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
