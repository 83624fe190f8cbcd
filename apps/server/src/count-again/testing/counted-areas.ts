import {
  type CountAgainRow,
  type CountingSession,
  deleteArea,
  finishArea,
  listToCountAgain,
  postScan,
  stateAreas,
} from "@stocktake/contract";
import { begin, join, makeStore, type TestCounter, type TestStore } from "../../testing/scenes.ts";
import type { TestServer } from "../../testing/test-server.ts";
import { highStreet } from "../../testing/test-shop.ts";

/** A session of the test shop's High Street in which one person counts areas. */
export class CountedAreas {
  readonly server: TestServer;
  readonly store: TestStore;
  readonly session: CountingSession;
  readonly counter: TestCounter;
  private seq = 0;

  private constructor(server: TestServer, store: TestStore, session: CountingSession, counter: TestCounter) {
    this.server = server;
    this.store = store;
    this.session = session;
    this.counter = counter;
  }

  static async begin(server: TestServer, areaCodes: readonly string[]): Promise<CountedAreas> {
    const store = await makeStore(server, { shopifyLocation: highStreet, areaCodes });
    const session = await begin(server, store);
    return new CountedAreas(server, store, session, await join(server, session));
  }

  areaId(code: string): string {
    const area = this.store.areas.find((each) => each.code === code);
    if (area === undefined) throw new Error(`There is no area ${code}.`);
    return area.id;
  }

  private inArea(areaCode: string) {
    return {
      ...{ sessionId: this.session._id, storeId: this.store.id, locationId: this.store.locationId },
      ...{ areaCode, deviceId: "device-1" },
    };
  }

  /** Scans so many units of each SKU, or barcode, at a time where one is given. */
  async scan(
    areaCode: string,
    found: Readonly<Record<string, number>>,
    scannedAt?: string,
    inputType: "sku" | "barcode" = "sku",
  ): Promise<void> {
    for (const [input, quantity] of Object.entries(found)) {
      this.seq += 1;
      const scanned = { input, inputType, quantity, seq: this.seq };
      const body = {
        ...this.inArea(areaCode),
        ...scanned,
        ...(scannedAt === undefined ? {} : { scannedAt }),
      };
      await this.counter.api.call(postScan, { body });
    }
  }

  async close(areaCode: string, declaredTotal: number): Promise<void> {
    const { matched } = await this.counter.api.call(finishArea, {
      body: { ...this.inArea(areaCode), declaredTotal },
    });
    if (!matched) throw new Error(`${areaCode} was not closed.`);
  }

  /** Scans what lies in an area and closes it. */
  async count(areaCode: string, found: Readonly<Record<string, number>>): Promise<void> {
    await this.scan(areaCode, found);
    await this.close(
      areaCode,
      Object.values(found).reduce((sum, units) => sum + units, 0),
    );
  }

  /** An area that nobody will count: it is deleted, or an administrator says so with a reason. */
  async leaveOut(areaCode: string, as: "deleted" | "void"): Promise<void> {
    const id = this.areaId(areaCode);
    if (as === "deleted") await this.server.admin.call(deleteArea, { params: { id } });
    else {
      const body = { areaIds: [id], as, stated: true, reason: "Being rebuilt" };
      await this.server.admin.call(stateAreas, { params: { id: this.session._id }, body });
    }
  }

  async list(query: { readonly limit?: string; readonly cursor?: string } = {}) {
    return this.server.admin.call(listToCountAgain, { params: { id: this.session._id }, query });
  }

  async rows(): Promise<readonly CountAgainRow[]> {
    return (await this.list()).rows;
  }
}
