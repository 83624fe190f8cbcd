import { randomUUID } from "node:crypto";
import {
  type CountingSession,
  deployReport,
  endSession,
  postScanBatch,
  type ReportItem,
  resolveScan,
  sessionExceptions,
  setBasis,
  varianceReport,
} from "@stocktake/contract";
import { begin, join, type TestCounter, type TestStore } from "../../testing/scenes.ts";
import type { TestServer } from "../../testing/test-server.ts";
import { letTimePass, setShopAhead } from "./passing-time.ts";
import { Shelf } from "./shelf.ts";
import { type DeviceName, devices, type History, type SkuName, type Step, skus } from "./shelf-steps.ts";

/** The one location of the shelf's shop. */
export const shop = "Shop";

/** Between two movements of a SKU; longer than it takes to tell by its answers that the shop's clock has gone on. */
const betweenMovements = 30_000;

interface HeldScan {
  readonly sku: SkuName;
  readonly seq: number;
  /** When it was really made, on a clock on which all time counts that was let pass. */
  readonly madeAt: number;
}

/** What became of a SKU. */
export interface Outcome {
  readonly sku: SkuName;
  readonly shelf: number;
  readonly inShop: number;
  /** By how much the shop had more than the shelf when the session began. */
  readonly tooMuch: number;
  /** Whether anything but the deploy has moved its stock since the session began. */
  readonly moved: boolean;
  readonly counted: boolean;
  /** Null where the report does not have it. */
  readonly row: ReportItem | null;
  /** Why the deploy left it out. */
  readonly skipped: string | null;
}

/** A session that is counted by two devices while the shop sells, ended, completed by late scans, and deployed. */
export class ShelfHistory {
  readonly #server: TestServer;
  readonly #history: History;
  readonly #session: CountingSession;
  readonly #store: TestStore;
  readonly #counter: TestCounter;
  readonly #shelves: Readonly<Record<SkuName, Shelf>>;
  readonly #held: Record<DeviceName, HeldScan[]> = { phone: [], handheld: [] };
  /** When its stock was moved last, on the clock of `#now`. */
  readonly #movedAt = new Map<SkuName, number>();
  #seq = 0;
  #passed = 0;
  #isEnding = false;

  private constructor(
    server: TestServer,
    store: TestStore,
    history: History,
    counting: { readonly session: CountingSession; readonly counter: TestCounter },
  ) {
    this.#server = server;
    this.#store = store;
    this.#history = history;
    this.#session = counting.session;
    this.#counter = counting.counter;
    const shelfOf = (sku: SkuName) => new Shelf(history.stock[sku].shelf);
    this.#shelves = { COAT: shelfOf("COAT"), GLOVE: shelfOf("GLOVE"), SOCK: shelfOf("SOCK") };
  }

  static async begin(server: TestServer, store: TestStore, history: History): Promise<ShelfHistory> {
    await server.shop.reset();
    const ahead = history.shopAheadSeconds * 1000;
    await setShopAhead(server, ahead - betweenMovements);
    for (const sku of skus) {
      const { shelf, tooMuch } = history.stock[sku];
      await server.shop.setStock({ ...place(sku), quantities: { available: shelf + tooMuch } });
    }
    await setShopAhead(server, ahead);
    await server.shop.changeSettings({ searchLag: history.searchLagSeconds * 1000 });
    const session = await begin(server, store, history.scope);
    const counter = await join(server, session);
    return new ShelfHistory(server, store, history, { session, counter });
  }

  async live(): Promise<Outcome[]> {
    const { before, finished, after, last } = this.#history;
    for (const step of before) await this.#perform(step);
    if (finished) this.#finishCounts();
    await this.#end();
    for (const step of after) await this.#perform(step);
    this.#finishCounts();
    for (const device of devices) await this.#deliver(device);
    await this.#acceptAll();
    // Whoever counts on finds that nobody takes it any more.
    for (const step of last) if (step.kind !== "count") await this.#perform(step);
    return this.#deploy();
  }

  async #perform(step: Step): Promise<void> {
    switch (step.kind) {
      case "time":
        return this.#passTime(step.seconds * 1000);
      case "poll":
        return this.#poll(step.fails);
      case "count":
        return this.#count(step.sku, step.units, step.device);
      case "deliver":
        return this.#deliver(step.device);
      default:
        return this.#moveStock(step);
    }
  }

  /** All time counts that was let pass. */
  #now(): number {
    return Date.now() + this.#passed;
  }

  #passTime(milliseconds: number): Promise<void> {
    this.#passed += milliseconds;
    return letTimePass(this.#server, this.#session._id, milliseconds);
  }

  /** Shopify's times are whole seconds: what moves to and fro in the same one leaves no trace. */
  async #isApart(sku: SkuName): Promise<boolean> {
    const isSoon = this.#now() - (this.#movedAt.get(sku) ?? 0) < 2_000;
    // Nothing lets time pass for an end that is under way.
    if (isSoon && this.#isEnding) return false;
    if (isSoon) await this.#passTime(betweenMovements);
    this.#movedAt.set(sku, this.#now());
    return true;
  }

  async #moveStock(step: Extract<Step, { kind: "sale" | "receipt" | "order" | "shipment" }>): Promise<void> {
    if (!(await this.#isApart(step.sku))) return;
    const shelf = this.#shelves[step.sku];
    const what = { ...place(step.sku), quantity: 1 };
    switch (step.kind) {
      case "sale":
        if (shelf.take(step.countedUnit)) await this.#server.shop.sell(what);
        return;
      case "receipt":
        shelf.put();
        await this.#server.shop.receive(what);
        return;
      case "order":
        if (shelf.order()) await this.#server.shop.sell({ ...what, ship: true });
        return;
      case "shipment":
        if (shelf.ship()) await this.#server.shop.fulfil(what);
        return;
    }
  }

  async #poll(fails: boolean): Promise<void> {
    if (fails) {
      const effect = { kind: "status", status: 403, when: "before" } as const;
      const match = { operation: "ChangedLevels" };
      await this.#server.shop.addFaults({ faults: [{ match, effect, times: "always" }] });
    }
    await this.#server.context.stockWatch.read();
    if (fails) await this.#server.shop.clearFaults();
  }

  #count(sku: SkuName, units: number, device: DeviceName): void {
    const found = this.#shelves[sku].count(units);
    for (let unit = 0; unit < found; unit += 1) {
      this.#seq += 1;
      this.#held[device].push({ sku, seq: this.#seq, madeAt: this.#now() });
    }
  }

  #finishCounts(): void {
    for (const sku of skus) if (this.#shelves[sku].isHalfCounted) this.#count(sku, 99, "phone");
  }

  /** A device was offline until now. */
  async #deliver(device: DeviceName): Promise<void> {
    const held = this.#held[device].splice(0);
    if (held.length === 0) return;
    const area = this.#store.areas[devices.indexOf(device)]?.code;
    const { id: storeId, locationId } = this.#store;
    const scans = held.map((scan) => ({
      ...{ sessionId: this.#session._id, storeId, locationId, areaCode: area, opId: randomUUID() },
      ...{ input: scan.sku, inputType: "sku", deviceId: `${device}-${this.#session._id}`, seq: scan.seq },
      ...this.#timeOf(scan, device),
    }));
    await this.#counter.api.call(postScanBatch, { body: { scans } });
  }

  #timeOf({ madeAt, seq }: HeldScan, device: DeviceName): { scannedAt: string; timeUnknown: boolean } {
    const { kind, errorMs } = this.#history.clocks[device];
    const shown = {
      right: 0,
      unknown: -3 * 60_000,
      impossible: seq % 2 === 0 ? 86_400_000 : -7 * 86_400_000,
    };
    const at = madeAt - this.#passed + errorMs + shown[kind];
    return { scannedAt: new Date(at).toISOString(), timeUnknown: kind === "unknown" };
  }

  /** Ends the session; some of it happens while the shop is read. */
  async #end(): Promise<void> {
    const { meanwhile, during } = this.#history;
    const { admin, shop: emulated } = this.#server;
    const end = () => admin.call(endSession, { body: { sessionId: this.#session._id } });
    if (meanwhile.length === 0) {
      await end();
      return;
    }
    const match = { operation: during.operation };
    const effect = { kind: "hang", when: during.answered ? "after" : "before" } as const;
    await emulated.addFaults({ faults: [{ match, effect }] });
    const ending = end();
    await Promise.race([emulated.untilHanging(), ending]);
    this.#isEnding = true;
    for (const step of meanwhile) await this.#perform(step);
    this.#isEnding = false;
    await emulated.clearFaults();
    await emulated.releaseHanging();
    await ending;
  }

  async #acceptAll(): Promise<void> {
    const { admin } = this.#server;
    const { scans } = await admin.call(sessionExceptions, { params: { id: this.#session._id } });
    for (const { _id: id } of scans) {
      await admin.call(resolveScan, { params: { id }, body: { action: "accept" } });
    }
  }

  async #deploy(): Promise<Outcome[]> {
    const { admin } = this.#server;
    const params = { sessionId: this.#session._id };
    await admin.call(setBasis, { params, body: { basis: this.#history.basis } });
    const { items } = await admin.call(varianceReport, { params, query: { view: "all" } });
    const { skipped } = await admin.call(deployReport, { params, body: {} });
    const { variants } = await this.#server.shop.snapshot();
    return skus.map((sku) => {
      const { available = 0, committed = 0 } =
        variants.find((variant) => variant.sku === sku)?.levels[0]?.quantities ?? {};
      return {
        sku,
        shelf: this.#shelves[sku].quantity,
        inShop: available + committed,
        tooMuch: this.#history.stock[sku].tooMuch,
        moved: this.#shelves[sku].moved,
        counted: this.#shelves[sku].isCounted,
        row: items.find((item) => item.sku === sku) ?? null,
        skipped: skipped.find((one) => one.sku === sku)?.reason ?? null,
      };
    });
  }

  /** What follows has nothing to do with it: times of this session were moved, those of its deploy were not. */
  async leave(): Promise<void> {
    await this.#server.database.database
      .updateTable("sessions")
      .set({ shopifyLocationId: "gid://shopify/Location/1" })
      .where("id", "=", this.#session._id)
      .execute();
  }
}

const place = (item: SkuName) => ({ item, location: shop });
