import {
  type CountAgainRow,
  type CountingSession,
  finishArea,
  listToCountAgain,
  postScanBatch,
  type ScanPayload,
  setStoreTolerance,
  type Tolerance,
} from "@stocktake/contract";
import { sql } from "kysely";
import {
  begin,
  join,
  makeAreas,
  makeLocation,
  makeStore,
  type TestArea,
  type TestCounter,
  type TestStore,
} from "../../testing/scenes.ts";
import type { TestServer } from "../../testing/test-server.ts";
import type { Mistakes } from "./mistakes.ts";
import type { Shelves } from "./shelves.ts";

const counters = 4;
const scansPerCall = 500;
const secondsPerScan = 4;
/** So much faster are those who are in haste. */
const haste = 3;
const hour = 3_600_000;
/** So long ago the session started, so that counting takes its time. */
const hoursAgo = 6;

interface CountedArea extends TestArea {
  readonly locationId: string;
}

/** What is scanned of shelves besides what each SKU says itself. */
export type HowScanned = Pick<Mistakes, "mistyped" | "fastAreas">;

/** A session in which shelves are scanned area by area. */
export class CountedShelves {
  readonly session: CountingSession;
  readonly areas: readonly CountedArea[];
  private readonly server: TestServer;
  private readonly store: TestStore;

  private constructor(server: TestServer, { store, areas }: Shop, session: CountingSession) {
    this.server = server;
    this.store = store;
    this.areas = areas;
    this.session = session;
  }

  static async begin(server: TestServer, shelves: Shelves): Promise<CountedShelves> {
    const shop = await makeShop(server, shelves);
    const session = await begin(server, shop.store);
    await sql`update sessions set (started_at, start_snapshot_at) = (started_at - ${hoursAgo} * interval '1 hour',
      start_snapshot_at - ${hoursAgo} * interval '1 hour') where id = ${session._id}`.execute(
      server.database.database,
    );
    return new CountedShelves(server, shop, session);
  }

  /** Sends every scan by the API's batches, and closes every area. A usual pace is drawn for each. */
  async count(shelves: Shelves, how: HowScanned, below: (end: number) => number): Promise<void> {
    const people = await Promise.all(
      Array.from({ length: counters }, (_none, index) => {
        const name = `Counter ${index + 1}`;
        return join(this.server, this.session, { name, email: `counter-${index + 1}@example.com` });
      }),
    );
    for (const [index, area] of this.areas.entries()) {
      const person = people[index % counters];
      if (person === undefined) throw new Error("Nobody counts.");
      const seconds = (secondsPerScan * (0.7 + below(7) / 10)) / (how.fastAreas.has(index) ? haste : 1);
      await this.scan(person, area, scansOf(index, shelves, how), seconds);
    }
  }

  private async scan(person: TestCounter, area: CountedArea, scans: readonly Scanned[], seconds: number) {
    const { _id: sessionId } = this.session;
    const { id: storeId } = this.store;
    const begun = Date.now() - (hoursAgo - 1) * hour;
    const place = { locationId: area.locationId, areaCode: area.code, deviceId: `device-${area.code}` };
    const payloads = scans.map(
      ({ input, quantity }, index): ScanPayload => ({
        ...{ sessionId, storeId, ...place, input, inputType: "barcode", quantity, seq: index + 1 },
        scannedAt: new Date(begun + index * seconds * 1_000).toISOString(),
      }),
    );
    for (let sent = 0; sent < payloads.length; sent += scansPerCall) {
      const { results } = await person.api.call(postScanBatch, {
        body: { scans: payloads.slice(sent, sent + scansPerCall) },
      });
      const refused = results.find(({ httpStatus }) => httpStatus !== 201);
      if (refused !== undefined) throw new Error(`A scan was not stored: ${JSON.stringify(refused)}`);
    }
    const declaredTotal = scans.reduce((sum, { quantity, fits }) => sum + (fits ? quantity : 0), 0);
    const { matched } = await person.api.call(finishArea, { body: { sessionId, ...place, declaredTotal } });
    if (!matched) throw new Error(`${area.code} was not closed.`);
  }

  /** Null: none. */
  async setTolerance(tolerance: Tolerance | null): Promise<void> {
    const params = { id: this.store.id };
    await this.server.admin.call(setStoreTolerance, { params, body: { tolerance } });
  }

  /** The whole list of what to count again, read page by page. */
  async list(): Promise<readonly CountAgainRow[]> {
    const rows: CountAgainRow[] = [];
    const params = { id: this.session._id };
    let cursor: string | null | undefined;
    do {
      const query = cursor ? { cursor } : {};
      const page = await this.server.admin.call(listToCountAgain, { params, query });
      rows.push(...page.rows);
      cursor = page.next;
    } while (cursor);
    return rows;
  }
}

interface Shop {
  readonly store: TestStore;
  readonly areas: readonly CountedArea[];
}

async function makeShop(server: TestServer, { size }: Shelves): Promise<Shop> {
  const codesOf = (letter: string, areas: number) =>
    Array.from({ length: areas }, (_none, index) => `${letter}${index + 1}`);
  const store = await makeStore(server, { areaCodes: codesOf("F", size.floorAreas) });
  const locationId = await makeLocation(server, store.id, "Stockroom");
  const codes = codesOf("S", size.stockAreas);
  const stockroom = await makeAreas(server, { storeId: store.id, locationId, codes });
  const areas: readonly CountedArea[] = [
    ...store.areas.map((area) => ({ ...area, locationId: store.locationId })),
    ...stockroom.map((area) => ({ ...area, locationId })),
  ];
  return { store, areas };
}

interface Scanned {
  readonly input: string;
  readonly quantity: number;
  /** It is a product's code. */
  readonly fits: boolean;
}

/** What is scanned in an area: one scan for each SKU, and the codes that fit none. */
function scansOf(area: number, { skus }: Shelves, { mistyped }: HowScanned): readonly Scanned[] {
  const fitting = skus.flatMap(({ barcode, scanned }) => {
    const quantity = scanned.get(area);
    return quantity === undefined ? [] : [{ input: barcode, quantity, fits: true }];
  });
  const others = mistyped.flatMap((code) =>
    code.area === area ? [{ input: code.input, quantity: code.units, fits: false }] : [],
  );
  return [...fitting, ...others];
}
