import { adjustCount, deployReport, endSession, finishArea } from "@stocktake/contract";
import { afterAll, beforeAll } from "vitest";
import { begin, makeStore, type StoreOptions, type TestStore } from "../../testing/scenes.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../../testing/test-server.ts";
import { highStreet } from "../../testing/test-shop.ts";

interface Counted {
  readonly scope?: "full" | "partial";
  /** Whether area A1 was closed, empty. */
  readonly closed?: boolean;
}

/** A server with a store at High Street, whose reports the tests of a file deploy over HTTP. */
export class ReportScene {
  #opened: { readonly server: TestServer; readonly store: TestStore } | undefined;

  constructor(options: TestServerOptions = {}, areas: Pick<StoreOptions, "areaCodes"> = {}) {
    beforeAll(async () => {
      const server = await startTestServer(options);
      const store = await makeStore(server, { shopifyLocation: highStreet, ...areas });
      this.#opened = { server, store };
    });
    afterAll(() => this.server.close());
  }

  get server(): TestServer {
    return this.#open().server;
  }

  get store(): TestStore {
    return this.#open().store;
  }

  #open() {
    if (this.#opened === undefined) throw new Error("The server starts before the first test.");
    return this.#opened;
  }

  /** An ended session of the store in which these SKUs were counted. */
  async counted(
    counts: Readonly<Record<string, number>>,
    { scope = "partial", closed = false }: Counted = {},
  ): Promise<string> {
    const { admin } = this.server;
    const { _id: sessionId } = await begin(this.server, this.store, scope);
    if (closed) {
      const area = { sessionId, areaCode: "A1", locationId: this.store.locationId };
      await admin.call(finishArea, { body: { ...area, declaredTotal: 0, deviceId: "device-1" } });
    }
    await admin.call(endSession, { body: { sessionId } });
    for (const [sku, newCount] of Object.entries(counts)) {
      await admin.call(adjustCount, { params: { sessionId }, body: { sku, newCount } });
    }
    return sessionId;
  }

  deploy(
    sessionId: string,
    body: { zeroUncounted?: boolean; stockFound?: boolean; confirmUnits?: number } = {},
  ) {
    return this.server.admin.call(deployReport, { params: { sessionId }, body });
  }

  async onHand(item: string): Promise<number> {
    return (await this.server.shop.stock({ item, location: highStreet })).on_hand;
  }
}
