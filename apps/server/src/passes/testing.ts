import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import { addToTotals, type Pass } from "./passes.ts";

interface Places {
  readonly database: Database;
  readonly userId: string;
}

/** Scans at 8, 9 and 10 o'clock: two that count, one that is unresolved. */
async function scanIn({ database, userId }: Places, { sessionId, areaId, pass }: Pass): Promise<void> {
  await sql`
    insert into scans (session_id, store_id, location_id, area_id, pass, device_id, seq, input, input_type, method, sku,
      status, reason, scanned_at, scanned_by, sent_by)
    select ${sessionId}, ${randomUUID()}, ${randomUUID()}, ${areaId}, ${pass}, gen_random_uuid()::text, 1, 'x', 'sku', 'scan', sku,
      status, reason, scanned_at::timestamptz, ${userId}, ${userId}
    from (values ('TEE', 'counted', null, '2026-03-01T08:00Z'), ('TEE', 'counted', null, '2026-03-01T10:00Z'),
      (null, 'unresolved', 'UNKNOWN_CODE', '2026-03-01T09:00Z')) as scan (sku, status, reason, scanned_at)`.execute(
    database,
  );
}

async function makePlaces({ database }: Places) {
  const { id: storeId } = await database
    .insertInto("stores")
    .values({ name: "High Street", shopifyLocationId: randomUUID() })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { id: locationId } = await database
    .insertInto("locations")
    .values({ storeId, name: "Floor" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const areas = await database
    .insertInto("areas")
    .values(["A1", "A2"].map((code) => ({ storeId, locationId, code, name: code, pass: 2, closedBy: null })))
    .returning("id")
    .execute();
  const at = new Date("2026-03-01T07:00:00Z");
  const sessions = await database
    .insertInto("sessions")
    .values(
      ["active", "closed"].map((status) => ({
        ...{ storeId, status: status === "active" ? ("active" as const) : ("closed" as const) },
        ...{ scope: "full" as const, shopDomain: "shop", shopifyLocationId: "gid://1", currency: "USD" },
        ...{
          items: 0,
          startSnapshotAt: at,
          endSnapshotAt: null,
          endedAt: null,
          startedBy: null,
          endedBy: null,
        },
      })),
    )
    .returning("id")
    .execute();
  return { storeId, areas, sessions };
}

/**
 * Every combination of two sessions, two areas and two passes, with scans and totals, also those that the product itself
 * never makes: a condition that is missing must not be made good by another one. Returns the store and its passes, by
 * session, area and pass.
 */
export async function makePasses(places: Places): Promise<{ storeId: string; passes: Pass[] }> {
  const { storeId, areas, sessions } = await makePlaces(places);
  const passes = sessions.flatMap(({ id: sessionId }) =>
    areas.flatMap(({ id: areaId }) => [1, 2].map((pass) => ({ sessionId, areaId, pass }))),
  );
  for (const pass of passes) {
    await scanIn(places, pass);
    await places.database.insertInto("areaPasses").values(pass).execute();
  }
  const all = sessions.map(({ id }) => id);
  await places.database
    .transaction()
    .execute((transaction) => addToTotals(transaction, sql`scan.session_id = any(${all}::uuid[])`));
  return { storeId, passes };
}

/** An account that ends passes. */
export async function makeUser(database: Database, username: string): Promise<string> {
  const { id } = await database
    .insertInto("users")
    .values({ username, role: "counter", passwordHash: null, invitationId: null })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}
