import { isDeepStrictEqual } from "node:util";
import { listAdjustments, varianceReport } from "@stocktake/contract";
import type { Product } from "@stocktake/testkit";
import type { Device } from "../kill/device.ts";
import { pause } from "../kill/persist.ts";
import { StockMover } from "../kill/stock-mover.ts";
import { openSession, type RunningCount, signInOverApi } from "../running-count.ts";
import type { NodesStage } from "./nodes-stage.ts";
import { joinPhones, wrongInReport } from "./phones.ts";

/** A store whose sessions phones count; none of them runs yet. */
export type Place = Omit<RunningCount, "sessionId"> & {
  /** As the shop's location is called. */
  readonly store: string;
};

/** Which node is asked for what; phones reach all of them in turn. */
interface Asked {
  readonly end: Product;
  readonly deploy: Product;
  readonly rollback: Product;
}

const phoneNames = ["ann", "ben"];

/** A session from its start to its rollback, which two phones count in the background. */
export class OneSession {
  readonly phones: readonly Device[];
  /** What is not as it has to be, one sentence each. */
  readonly wrong: string[] = [];
  readonly #stage: NodesStage;
  readonly #running: RunningCount & Pick<Place, "store">;
  /** What the phones have failed with; null once they were told to stop, or have run out of areas. */
  readonly #failure: Promise<unknown>;
  #told = false;
  #over = false;

  private constructor(stage: NodesStage, running: RunningCount & Place, phones: readonly Device[]) {
    this.#stage = stage;
    this.#running = running;
    this.phones = phones;
    const codes = running.areas.map(({ code }) => code);
    const own = (phone: number) => codes.filter((_code, index) => index % phones.length === phone);
    const counting = phones.map((phone, index) => phone.count(own(index), () => this.#told));
    this.#failure = Promise.all(counting)
      .then(
        () => null,
        (error: unknown) => error,
      )
      .finally(() => {
        this.#over = true;
      });
  }

  /** Starts it by one node, and its phones. Their names have to be new. */
  static async start(stage: NodesStage, place: Place, by: Product, name: string): Promise<OneSession> {
    const admin = await signInOverApi({ product: by });
    const running = { ...place, sessionId: await openSession(admin, place.storeId, "partial") };
    const names = phoneNames.map((phone) => `${phone}-${name}`);
    return new OneSession(stage, running, await joinPhones({ ...stage, running }, names));
  }

  /** Until each phone has counted an area from its first scan to its end with the nodes of now. */
  async countsOn(): Promise<void> {
    const before = this.phones.map(({ closed }) => closed.length);
    while (this.phones.some(({ closed }, phone) => closed.length < (before[phone] ?? 0) + 2)) {
      if (this.#over) throw (await this.#failure) ?? new Error("The phones have run out of areas.");
      await pause();
    }
  }

  /** The phones finish what they have in hand; then the session ends, is deployed and rolled back, and every node is asked about it. */
  async finishes(asked: Asked): Promise<void> {
    this.#told = true;
    const failure = await this.#failure;
    if (failure !== null) throw failure;
    for (const phone of this.phones) this.wrong.push(...(await phone.wrong()));
    this.wrong.push(...(await wrongInReport(await this.#as(asked.end), this.phones)));
    await this.#expectSame("report", (node) => this.#reportOf(node));
    await this.#moves("deploy", asked.deploy);
    await this.#moves("rollback", asked.rollback);
  }

  async #as(node: Product) {
    return { ...this.#running, admin: await signInOverApi({ product: node }) };
  }

  async #moves(direction: "deploy" | "rollback", by: Product): Promise<void> {
    const { shop } = this.#stage;
    await new StockMover({ shop, store: this.#running.store, ended: await this.#as(by) }).move(direction);
    const [history] = await this.#expectSame(`history after the ${direction}`, (node) =>
      this.#historyOf(node),
    );
    const found = JSON.stringify(history);
    const expected = JSON.stringify([{ status: "applied", isBack: direction === "rollback" }]);
    if (found !== expected)
      this.wrong.push(`the history after the ${direction} is ${found}, not ${expected}`);
  }

  /** What either release says of a report, whatever the newer one adds to it. */
  async #reportOf(node: Product) {
    const { admin, sessionId } = await this.#as(node);
    const { items, summary } = await admin.call(varianceReport, { params: { sessionId }, query: {} });
    const { totalItems, shortages, overages, totalCostImpact } = summary;
    return {
      totals: { totalItems, shortages, overages, totalCostImpact },
      items: items.map(({ sku, startOnHand, endOnHand, counted, variance, costImpact, areas }) => {
        return { sku, startOnHand, endOnHand, counted, variance, costImpact, areas };
      }),
    };
  }

  async #historyOf(node: Product) {
    const { admin, sessionId } = await this.#as(node);
    const { adjustments } = await admin.call(listAdjustments, { params: { sessionId } });
    return adjustments.map(({ status, rolledBackAt }) => ({ status, isBack: rolledBackAt !== null }));
  }

  /** Resolves to what each node says, which is to be the same of all. */
  async #expectSame<Said>(what: string, ask: (node: Product) => Promise<Said>): Promise<readonly Said[]> {
    const said = await Promise.all(this.#stage.nodes.map(ask));
    if (!said.every((each) => isDeepStrictEqual(each, said[0])))
      this.wrong.push(`the nodes don't say the same of the ${what}: ${JSON.stringify(said)}`);
    return said;
  }
}
