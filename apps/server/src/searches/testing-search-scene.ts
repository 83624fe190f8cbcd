import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { createHurryingClock } from "../testing/hurrying-clock.ts";
import { begin, clearStores, join, makeStore, type TestCounter, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet } from "../testing/test-shop.ts";

/** What High Street has that can be counted: on hand 7, 8, 9 of jackets, 3 and 2 of scarves, 4 belts. */
export const scarves = ["SCARF#44310000000004", "SCARF#44310000000005"] as const;

/** A store of two areas whose session counts, with Ada and Ben in it; anew for each test of a file. */
export class SearchScene {
  #server: TestServer | undefined;
  store!: TestStore;
  session!: contract.CountingSession;
  ada!: TestCounter;
  ben!: TestCounter;
  private seq = 0;

  constructor() {
    beforeAll(async () => {
      this.#server = await startTestServer({ environment: { clock: createHurryingClock() } });
    });
    afterAll(() => this.server.close());
    beforeEach(async () => {
      await clearStores(this.server);
      await this.server.shop.reset();
      this.store = await makeStore(this.server, { shopifyLocation: highStreet });
      await this.begin();
    });
  }

  get server(): TestServer {
    if (this.#server === undefined) throw new Error("The server starts before the first test.");
    return this.#server;
  }

  get admin() {
    return this.server.admin;
  }

  get ofSession() {
    return { params: { id: this.session._id } };
  }

  ofList(number: number) {
    return { params: { id: this.session._id, number: String(number) } };
  }

  create(body: contract.CallInput<typeof contract.createSearches>["body"]) {
    return this.admin.call(contract.createSearches, { ...this.ofSession, body });
  }

  say(
    by: TestCounter,
    sku: string,
    answer: contract.SearchAnswer,
    list = 1,
    deviceId = `phone of ${by.username}`,
    given: { readonly answerOrder?: number; readonly saidAgoMs?: number } = {},
  ) {
    const body = { sku, answer, deviceId, ...given };
    return by.api.call(contract.answerSearch, { ...this.ofList(list), body });
  }

  async scan(
    by: TestCounter,
    sku: string,
    quantity = 1,
    areaCode = "A1",
    pass?: number,
  ): Promise<contract.CallAnswer<typeof contract.postScan>> {
    this.seq += 1;
    const body = {
      ...{ sessionId: this.session._id, storeId: this.store.id, locationId: this.store.locationId },
      ...{ areaCode, input: sku, inputType: "sku" as const, quantity },
      ...{ deviceId: `phone of ${by.username}`, seq: this.seq },
      ...(pass === undefined ? {} : { pass }),
    };
    return by.api.call(contract.postScan, { body });
  }

  /** Finishes an area with what was scanned in it. */
  async close(areaCode: string, declaredTotal = 0, by = this.ada, pass?: number): Promise<void> {
    const area = { sessionId: this.session._id, areaCode, locationId: this.store.locationId };
    const declared = { declaredTotal, deviceId: `phone of ${by.username}` };
    await by.api.call(contract.finishArea, {
      body: { ...area, ...declared, ...(pass === undefined ? {} : { pass }) },
    });
  }

  /** Begins another session of the store, with Ada and Ben in it. */
  async beginNext(): Promise<void> {
    await this.end();
    await this.begin();
  }

  private async begin(): Promise<void> {
    this.session = await begin(this.server, this.store);
    this.ada = await join(this.server, this.session, { name: "Ada", email: "ada@example.com" });
    this.ben = await join(this.server, this.session, { name: "Ben", email: "ben@example.com" });
  }

  async end(): Promise<string> {
    await this.admin.call(contract.endSession, { body: { sessionId: this.session._id } });
    return this.session._id;
  }

  async item(sku: string): Promise<contract.SearchedItem | undefined> {
    const { items } = await this.admin.call(contract.readSearch, { ...this.ofList(1), query: {} });
    return items.find((each) => each.sku === sku);
  }

  async stateOf(sku: string): Promise<contract.SearchState | null | undefined> {
    return (await this.item(sku))?.state;
  }
}
