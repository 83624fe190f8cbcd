import type { AreaScan, UnresolvedScan } from "@stocktake/contract";
import { sql } from "kysely";
import { canAccessSession } from "../auth/auth.ts";
import type { Database } from "../database/pool.ts";
import { notFound } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { isOfPass, lastPasses, type Pass } from "../passes/passes.ts";
import { ambiguousArea, areasNamed, explainUnknownArea, type NamedArea } from "./area-queries.ts";

interface AreaScans {
  readonly scans: AreaScan[];
  readonly unresolved: UnresolvedScan[];
  readonly pass: number;
}

/**
 * The counted scans of an area, newest first, and the unresolved ones: of its current pass, or of the last one it had in
 * a session that is over.
 * Throws NOT_FOUND, VALIDATION for a location of another store, AREA_AMBIGUOUS.
 */
export async function listAreaScans(
  database: Database,
  caller: Caller,
  named: NamedArea,
): Promise<AreaScans> {
  const session = await findSession(database, caller, named.sessionId);
  const [area, ...others] = await areasNamed(database, session.storeId, named);
  if (others.length > 0) throw ambiguousArea();
  if (area === undefined) throw await explainUnknownArea(database, caller, named);
  const isOver = session.status === "closed";
  const last = isOver ? await lastPasses(database, session.id, [area.id]) : undefined;
  const pass = last?.get(area.id) ?? area.pass;
  const ofPass = { sessionId: session.id, areaId: area.id, pass };
  const [scans, unresolved] = await Promise.all([
    countedScans(database, ofPass),
    unresolvedScans(database, ofPass),
  ]);
  return { scans, unresolved, pass };
}

async function findSession(database: Database, caller: Caller, id: string) {
  const session = await database
    .selectFrom("sessions")
    .select(["id", "storeId", "status"])
    .where("id", "=", id)
    .where(canAccessSession(caller, "sessions"))
    .executeTakeFirst();
  if (session === undefined) throw notFound("The session");
  return session;
}

interface ScanRow {
  id: number;
  sku: string | null;
  productTitle: string | null;
  size: string | null;
  deviceId: string;
  seq: number;
  quantity: number;
  method: AreaScan["method"];
  scannedAt: Date;
  username: string;
  accepted: boolean;
}

async function countedScans(database: Database, ofPass: Pass): Promise<AreaScan[]> {
  const { rows } = await sql<ScanRow>`
    select scan.id, scan.sku, item.product_title, item.size, scan.device_id, scan.seq, scan.quantity, scan.method, scan.scanned_at,
      person.username, scan.resolved_by is not null as accepted
    from scans scan
    join users person on person.id = scan.scanned_by
    left join session_items item on item.session_id = scan.session_id and item.sku = scan.sku
    where ${isOfPass(ofPass, "scan")} and scan.status = 'counted'
    order by scan.id desc`.execute(database);
  return rows.map(({ id, productTitle, deviceId, scannedAt, ...scan }) => ({
    ...scan,
    _id: String(id),
    productTitle,
    deviceId,
    scannedAt: scannedAt.toISOString(),
  }));
}

async function unresolvedScans(database: Database, ofPass: Pass): Promise<UnresolvedScan[]> {
  const rows = await database
    .selectFrom("scans")
    .select(["id", "input", "deviceId", "seq", "quantity", "scannedAt"])
    .where(isOfPass(ofPass))
    .where("status", "=", "unresolved")
    .orderBy("id", "desc")
    .execute();
  return rows.map(({ id, scannedAt, ...scan }) => ({
    ...scan,
    _id: String(id),
    scannedAt: scannedAt.toISOString(),
  }));
}
