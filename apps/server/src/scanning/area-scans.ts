import {
  type AreaDevice,
  type AreaScan,
  type AreaStatus,
  Pass as PassNumber,
  type UnresolvedScan,
} from "@stocktake/contract";
import { sql } from "kysely";
import * as z from "zod/mini";
import { canAccessSession } from "../auth/auth.ts";
import type { Database } from "../database/pool.ts";
import { notFound } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { NumberPosition, type PageRequest, pageSize, readCursor, writeCursor } from "../kernel/paging.ts";
import { attemptSeen, hasCountedIn, isOfPass, isRestored, lastPasses, type Pass } from "../passes/passes.ts";
import { requireUnarchived } from "../sessions/sessions.ts";
import { devicesOfPass } from "./area-devices.ts";
import { ambiguousArea, areasNamed, explainUnknownArea, type NamedArea, passOver } from "./area-queries.ts";
import { requireAssigned } from "./assigned-area-queries.ts";

interface AreaScans {
  readonly scans: AreaScan[];
  readonly unresolved: UnresolvedScan[];
  readonly devices: AreaDevice[];
  readonly pass: number;
  /** An earlier count was restored as this pass; on the first page alone. */
  readonly restored?: true;
  readonly next: string | null;
  /** Of the counted scans. */
  readonly total: number;
}

/** The pass, and the last scan of either list; 0 where that list was complete. */
const AreaPosition = z.tuple([PassNumber, NumberPosition, NumberPosition]);

/**
 * A page of the counted scans of an area, newest first, and one as long of the unresolved ones: of its current pass, or
 * of the last one it had in a session that is over.
 * Throws NOT_FOUND, VALIDATION for a location of another store or a cursor of nothing, AREA_AMBIGUOUS, PASS_OVER where
 * the pages before were of an earlier pass.
 */
export async function listAreaScans(
  database: Database,
  caller: Caller,
  named: NamedArea,
  request: PageRequest,
): Promise<AreaScans> {
  const session = await findSession(database, caller, named.sessionId);
  const [area, ...others] = await areasNamed(database, session.storeId, named);
  if (others.length > 0) throw ambiguousArea();
  if (area === undefined) throw await explainUnknownArea(database, caller, named);
  // A closed one is nobody's any more, and its second count is for whoever has not counted it.
  const isCounted = session.status !== "closed" && area.status !== "closed";
  if (isCounted) await requireAssigned(database, caller, { sessionId: session.id, areaId: area.id });
  const { pass, shown } = await passShown(database, caller, session, area);
  const ofPass = { sessionId: session.id, areaId: area.id, pass };
  return shown ? readAreaPage(database, caller, ofPass, request) : noScans(ofPass);
}

/**
 * The area's own, or that of the second count which the caller may take or made: what others counted is not theirs to see. It is not
 * shown where that is all there is, of an area that was closed without them, which they may be asked to count again, also in
 * a follow-up after the end.
 */
async function passShown(
  database: Database,
  caller: Caller,
  session: { readonly id: string; readonly status: string },
  area: { readonly id: string; readonly pass: number; readonly status: AreaStatus },
): Promise<{ readonly pass: number; readonly shown: boolean }> {
  const counting = session.status === "closed" ? await lastPassOf(database, session.id, area) : area.pass;
  if (session.status !== "closed" && area.status !== "closed") return { pass: counting, shown: true };
  const ofPass = { sessionId: session.id, areaId: area.id, pass: counting };
  const attempt = await attemptSeen(database, caller, ofPass);
  if (attempt !== undefined) return { pass: attempt.pass, shown: true };
  return { pass: counting, shown: await hasCountedIn(database, caller.userId, ofPass) };
}

async function lastPassOf(
  database: Database,
  sessionId: string,
  area: { readonly id: string; readonly pass: number },
): Promise<number> {
  return (await lastPasses(database, sessionId, [area.id])).get(area.id) ?? area.pass;
}

function noScans({ pass }: Pass): AreaScans {
  return { scans: [], unresolved: [], devices: [], pass, next: null, total: 0 };
}

async function readAreaPage(
  database: Database,
  { userId }: Caller,
  ofPass: Pass,
  request: PageRequest,
): Promise<AreaScans> {
  const { pass } = ofPass;
  const after = readCursor(request, AreaPosition);
  const [begunPass, scansBefore, unresolvedBefore] = after ?? [pass, newest, newest];
  if (begunPass !== pass) throw passOver();
  const size = pageSize(request);
  const [counted, waiting, devices, restored] = await Promise.all([
    countedScans(database, ofPass, scansBefore, size + 1),
    unresolvedScans(database, ofPass, unresolvedBefore, size + 1),
    after === null ? devicesOfPass(database, ofPass, userId) : [],
    after === null && isRestored(database, ofPass),
  ]);
  const [scans, unresolved] = [counted.slice(0, size), waiting.slice(0, size)];
  const rest = [lastOf(scans, counted), lastOf(unresolved, waiting)];
  const next = rest.every((last) => last === 0) ? null : writeCursor([pass, ...rest]);
  const isWhole = after === null && counted.length === scans.length;
  return {
    scans,
    unresolved,
    devices,
    pass,
    ...(restored ? { restored } : {}),
    next,
    total: isWhole ? scans.length : await countCounted(database, ofPass),
  };
}

const newest = Number.MAX_SAFE_INTEGER;

/** The id of the last scan of a page; 0 where nothing comes after it. */
function lastOf(page: readonly { readonly _id: string }[], read: readonly unknown[]): number {
  return read.length > page.length ? Number(page.at(-1)?._id ?? 0) : 0;
}

/** From the running totals of devices: an area may hold more scans than are worth reading for their number. */
async function countCounted(database: Database, ofPass: Pass): Promise<number> {
  const { rows } = await sql<{ scans: number }>`
    select coalesce(sum(counted_scans), 0)::bigint as scans from device_work where ${isOfPass(ofPass)}`.execute(
    database,
  );
  return rows[0]?.scans ?? 0;
}

async function findSession(database: Database, caller: Caller, id: string) {
  const session = await database
    .selectFrom("sessions")
    .select(["id", "storeId", "status"])
    .where("id", "=", id)
    .where(canAccessSession(caller, "sessions"))
    .executeTakeFirst();
  if (session === undefined) throw notFound("The session");
  if (session.status === "closed") await requireUnarchived(database, id);
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
  timeKnown: boolean;
  username: string;
  accepted: boolean;
}

/** Up to `count` scans with lower ids than `before`. */
async function countedScans(
  database: Database,
  ofPass: Pass,
  before: number,
  count: number,
): Promise<AreaScan[]> {
  const { rows } = await sql<ScanRow>`
    select scan.id, scan.sku, item.product_title, item.size, scan.device_id, scan.seq, scan.quantity, scan.method, scan.scanned_at,
      scan.time_known, person.username, scan.resolved_by is not null as accepted
    from scans scan
    join users person on person.id = scan.scanned_by
    left join session_items item on item.session_id = scan.session_id and item.sku = scan.sku
    where ${isOfPass(ofPass, "scan")} and (scan.status = 'counted' or scan.status = 'compared' and scan.sku is not null)
      and scan.id < ${before}
    order by scan.id desc
    limit ${count}`.execute(database);
  return rows.map(({ id, productTitle, deviceId, scannedAt, timeKnown, ...scan }) => ({
    ...scan,
    _id: String(id),
    productTitle,
    deviceId,
    ...presentTime({ scannedAt, timeKnown }),
  }));
}

async function unresolvedScans(
  database: Database,
  ofPass: Pass,
  before: number,
  count: number,
): Promise<UnresolvedScan[]> {
  const rows = await database
    .selectFrom("scans")
    .select(["id", "input", "deviceId", "seq", "quantity", "scannedAt", "timeKnown"])
    .where(isOfPass(ofPass))
    .where(sql<boolean>`(status = 'unresolved' or status = 'compared' and sku is null)`)
    .where("id", "<", before)
    .orderBy("id", "desc")
    .limit(count)
    .execute();
  return rows.map(({ id, scannedAt, timeKnown, ...scan }) => ({
    ...scan,
    _id: String(id),
    ...presentTime({ scannedAt, timeKnown }),
  }));
}

function presentTime({ scannedAt, timeKnown }: Pick<ScanRow, "scannedAt" | "timeKnown">) {
  return { scannedAt: scannedAt.toISOString(), ...(timeKnown ? {} : { timeUnknown: true }) };
}
