import { randomUUID } from "node:crypto";
import {
  type CountingSession,
  type LiveEvent,
  postScan,
  type ScanAnswer,
  ScanAnswer as ScanAnswerSchema,
  type SessionScope,
} from "@stocktake/contract";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { areaRoutes } from "../../areas/routes.ts";
import type { SliceRoutes } from "../../assembly/app.ts";
import { authRoutes } from "../../auth/routes.ts";
import { catalogueRoutes } from "../../catalogue/routes.ts";
import type { Database } from "../../database/pool.ts";
import { sessionRoutes } from "../../sessions/routes.ts";
import {
  begin,
  join,
  makeStore,
  type StoreOptions,
  type TestCounter,
  type TestStore,
} from "../../testing/scenes.ts";
import type { TestApi } from "../../testing/test-api.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { scanningRoutes } from "../routes.ts";

/** A code of the test shop for each way of matching. */
export const codes = {
  jacketS: { input: "4000000000105", sku: "JK-1000" },
  jacketM: { input: "4000000000112", sku: "JK-1001" },
  jacketL: { input: "4000000000129", sku: "JK-1002" },
  /** The plain SKU of two products. */
  shared: { input: "SCARF" },
  unknown: { input: "0000-NOTHING" },
} as const;

/** The calls that the tests of counting make. */
export const countingSlices = [areaRoutes, authRoutes, catalogueRoutes, scanningRoutes, sessionRoutes];

/** Ends and hides everything, so that the emulated shop's locations are free for the next test. */
export async function clearAway({ database: { database } }: TestServer): Promise<void> {
  const now = new Date();
  await database
    .updateTable("sessions")
    .set({ status: "closed", endedAt: now })
    .where("endedAt", "is", null)
    .execute();
  await database.updateTable("stores").set({ deletedAt: now }).execute();
  await database.updateTable("users").set({ deletedAt: now }).where("role", "=", "counter").execute();
}

/** A store that is being counted, and one who counts there. */
export interface CountingScene {
  readonly server: TestServer;
  readonly store: TestStore;
  readonly session: CountingSession;
  readonly counter: TestCounter;
}

export async function startCounting(
  server: TestServer,
  options: StoreOptions = {},
  scope: SessionScope = "full",
): Promise<CountingScene> {
  const store = await makeStore(server, options);
  const session = await begin(server, store, scope);
  const counter = await join(server, session);
  return { server, store, session, counter };
}

/** What the scene's server has published in the running test; the same list, emptied after each. */
export function publishedInEachTest(scene: CountingScene): readonly LiveEvent[] {
  const published: LiveEvent[] = [];
  beforeAll(() => {
    scene.server.context.events.subscribe((event) => published.push(event));
  });
  afterEach(() => {
    published.length = 0;
  });
  return published;
}

/**
 * One server for the file, and for each test a store that has just begun to be counted: the returned scene is always that
 * of the running test. After each test the running totals must be those of the scans.
 */
export function countInEachTest(slices: readonly SliceRoutes[] = countingSlices): CountingScene {
  let server: TestServer;
  let scene: CountingScene;
  beforeAll(async () => {
    server = await startTestServer({ slices });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    scene = await startCounting(server);
  });
  afterEach(async () => {
    await expectTotalsToMatchScans(server.database.database);
    await clearAway(server);
  });
  return {
    get server() {
      return server;
    },
    get store() {
      return scene.store;
    },
    get session() {
      return scene.session;
    },
    get counter() {
      return scene.counter;
    },
  };
}

export interface ScanChanges {
  readonly timeUnknown?: boolean;
  readonly sessionId?: string;
  readonly storeId?: string;
  readonly locationId?: string;
  readonly areaCode?: string;
  readonly input?: string;
  readonly inputType?: "barcode" | "sku";
  readonly deviceId?: string;
  readonly seq?: number;
  readonly method?: "scan" | "manual";
  readonly quantity?: number;
  readonly scannedAt?: string;
  readonly pass?: number;
  readonly opId?: string;
  readonly scannedById?: string;
  readonly replaces?: string;
  readonly replacesSeq?: number;
}

/** The payload of a scan of the small jacket in the store's first area, with the given changes. */
export function scanBody({ session, store }: CountingScene, changes: ScanChanges = {}) {
  return {
    sessionId: session._id,
    storeId: store.id,
    locationId: store.locationId,
    areaCode: store.areas[0]?.code ?? "",
    input: codes.jacketS.input,
    inputType: "barcode" as const,
    deviceId: "device-1",
    seq: 1,
    ...changes,
  };
}

/** How a device names the store's first area. */
export function firstArea({ session, store }: CountingScene) {
  return {
    sessionId: session._id,
    areaCode: store.areas[0]?.code ?? "",
    locationId: store.locationId,
  };
}

export interface ScanReply extends ScanAnswer {
  readonly httpStatus: number;
}

/** Sends a scan; throws unless it was stored. */
export async function scan(
  scene: CountingScene,
  changes: ScanChanges = {},
  api: TestApi = scene.counter.api,
): Promise<ScanReply> {
  const { status, body } = await api.send(postScan, { body: scanBody(scene, changes) });
  if (status >= 400) throw new Error(`The scan was answered ${status} ${JSON.stringify(body)}`);
  return { httpStatus: status, ...ScanAnswerSchema.parse(body) };
}

/** Sends so many scans of the area one after the other, from `firstSeq` on. */
export async function scanTimes(
  scene: CountingScene,
  times: number,
  changes: ScanChanges = {},
): Promise<void> {
  const firstSeq = changes.seq ?? 1;
  for (let index = 0; index < times; index += 1) {
    await scan(scene, { opId: randomUUID(), ...changes, seq: firstSeq + index });
  }
}

/** The area's row in the database. */
export async function areaRow(scene: CountingScene, code = scene.store.areas[0]?.code ?? "") {
  return scene.server.database.database
    .selectFrom("areas")
    .selectAll()
    .where("storeId", "=", scene.store.id)
    .where("code", "=", code)
    .where("deletedAt", "is", null)
    .executeTakeFirstOrThrow();
}

/** Ends the session as the last step of ending one does. */
export async function endAtOnce({ server, session }: CountingScene): Promise<void> {
  await server.database.database
    .updateTable("sessions")
    .set({ status: "closed", endedAt: new Date() })
    .where("id", "=", session._id)
    .execute();
}

/** The counted units in the totals of the session, by SKU. */
export async function countsOf({ server, session }: CountingScene): Promise<Record<string, number>> {
  const rows = await server.database.database
    .selectFrom("scanTotals")
    .select(["sku", (total) => total.fn.sum<string>("quantity").as("quantity")])
    .where("sessionId", "=", session._id)
    .groupBy("sku")
    .orderBy("sku")
    .execute();
  return Object.fromEntries(rows.map(({ sku, quantity }) => [sku, Number(quantity)]));
}

/** The running totals are exactly those of the counted scans, times included, without what was voided. */
export async function expectTotalsToMatchScans(database: Database): Promise<void> {
  const { rows } = await sql`
    with counted as (
      select session_id, area_id, pass, sku, sum(quantity) as quantity,
        min(scanned_at) filter (where time_known) as first_counted_at,
        max(scanned_at) filter (where time_known) as last_counted_at,
        count(*) filter (where not time_known)::integer as unknown_times
      from scans where status = 'counted' group by session_id, area_id, pass, sku)
    (select 'only in totals' as difference, total.* from (select * from scan_totals except select * from counted) total)
    union all
    (select 'only in scans', scan.* from (select * from counted except select * from scan_totals) scan)`.execute(
    database,
  );
  expect(rows).toEqual([]);
  await expectWorkToMatchScans(database);
}

/** What is kept of each device's work is exactly what its scans come to. */
async function expectWorkToMatchScans(database: Database): Promise<void> {
  const { rows } = await sql`
    with left_over as (
      select session_id, area_id, pass, device_id, scanned_by, count(*)::integer as scans,
        (count(*) filter (where counts))::integer as counted_scans,
        coalesce(sum(quantity) filter (where counts), 0)::bigint as counted,
        coalesce(sum(quantity) filter (where counts and resolved_by is not null), 0)::bigint as accepted,
        max(scanned_at) as last_scan_at
      from (select *, status = 'counted' or status = 'compared' and sku is not null as counts from scans
        where status in ('counted', 'unresolved', 'compared')) scan
      group by session_id, area_id, pass, device_id, scanned_by)
    (select 'only in work' as difference, work.* from (select * from device_work except select * from left_over) work)
    union all
    (select 'only in scans', scan.* from (select * from left_over except select * from device_work) scan)`.execute(
    database,
  );
  expect(rows).toEqual([]);
}
