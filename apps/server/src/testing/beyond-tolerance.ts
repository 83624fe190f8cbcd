import { sql } from "kysely";
import type { TestServer } from "./test-server.ts";

/** While something is done a thousand units of a SKU count in an ended session, beyond its tolerance. */
export async function whileBeyondTolerance(
  { database: { database } }: Pick<TestServer, "database">,
  { sessionId, areaId }: { readonly sessionId: string; readonly areaId: string },
  work: (sku: string) => Promise<void>,
): Promise<void> {
  const sku = "JK-1000";
  await sql`insert into tolerances (session_id, over_units) values (${sessionId}, 0)`.execute(database);
  await sql`insert into scan_totals (session_id, area_id, pass, sku, quantity) values (${sessionId}, ${areaId}, 1, ${sku}, 1000)`.execute(
    database,
  );
  await work(sku);
  await sql`delete from scan_totals where session_id = ${sessionId}`.execute(database);
  await sql`delete from tolerances where session_id = ${sessionId}`.execute(database);
}
