import { matchProduct } from "@stocktake/contract";
import { sql } from "kysely";
import { canSendToRunning, openLogins } from "../../auth/auth.ts";
import type { SessionIndex } from "../../catalogue/catalogue.ts";
import { type Database, preparedMark } from "../../database/pool.ts";
import type { ScanningServices } from "../services.ts";
import { firstClaims, sequenceKey } from "./claims.ts";
import type { IncomingScan, ScanOutcome } from "./incoming-scan.ts";
import { raiseTotals, sentColumns, storedColumns, timeKnown } from "./insert-queries.ts";
import { presentScan } from "./present.ts";

/** A scan that counts in an area's present pass. */
export interface CountedScan {
  readonly areaId: string;
  readonly pass: number;
  readonly outcome: ScanOutcome;
}

/** A scan that names one product, sent by who scanned it: what it becomes depends on its area and session alone. */
interface Candidate {
  readonly incoming: IncomingScan;
  readonly sku: string;
}

/**
 * Stores those scans of a group for which there is nothing to decide, by one statement, which is a transaction by itself: new
 * ones of one product, in the present pass of an area that is being counted, in a session that is not over, from logins that
 * open something. It takes the locks of `storeScans` and stores what that would store; whatever else a scan may be is
 * left to it. Durable when this resolves.
 */
export async function storeOrdinary(
  context: Pick<ScanningServices, "database" | "catalogue">,
  sessionId: string,
  scans: readonly IncomingScan[],
): Promise<ReadonlyMap<IncomingScan, CountedScan>> {
  const index = await knownIndex(context, sessionId);
  if (index === null) return new Map();
  const candidates = candidatesOf(sessionId, index, scans);
  if (candidates.length === 0) return new Map();
  const rows = await insertCounted(context.database, sessionId, index, candidates);
  const byNumber = new Map(rows.map((row) => [sequenceKey(row), row]));
  return new Map(
    candidates.flatMap(({ incoming, sku }) => {
      const row = byNumber.get(sequenceKey(incoming));
      return row === undefined ? [] : [[incoming, countedScan(incoming, sku, row, index)] as const];
    }),
  );
}

/** Null where it can't be read or there is no such session: what that means is found out by the long way. */
function knownIndex(
  { catalogue }: Pick<ScanningServices, "catalogue">,
  sessionId: string,
): Promise<SessionIndex | null> {
  return catalogue.sessionIndex(sessionId, 0).catch(() => null);
}

function candidatesOf(
  sessionId: string,
  { index }: SessionIndex,
  scans: readonly IncomingScan[],
): Candidate[] {
  // Of all that came: one that is left to the long way keeps its number and its operation id.
  return firstClaims(scans.map((incoming) => ({ incoming }))).flatMap(({ incoming }) => {
    const { sentBy, scannedById, input, inputType } = incoming;
    if (scannedById !== sentBy.userId || !canSendToRunning(sentBy, sessionId)) return [];
    const match = matchProduct(index, input, inputType);
    // What a tag becomes depends on where else it was read.
    return match.kind === "one" && match.by !== "tag" ? [{ incoming, sku: match.product.sku }] : [];
  });
}

function countedScan(
  { seq, quantity }: IncomingScan,
  sku: string,
  { id, areaId, areaCode, pass }: StoredRow,
  { index }: SessionIndex,
): CountedScan {
  const scan = { id, seq, quantity, sku, areaCode, pass, status: "counted", reason: null } as const;
  return { areaId, pass, outcome: presentScan(scan, index, false) };
}

interface StoredRow {
  readonly id: number;
  readonly deviceId: string;
  readonly seq: number;
  readonly areaId: string;
  readonly areaCode: string;
  readonly pass: number;
}

/** Numbers the distinct values of a key from 1 on, as `with ordinality` does: the first of each, and the number of every value. */
function numbered<Value>(values: readonly Value[], keyOf: (value: Value) => string) {
  const numbers = new Map<string, number>();
  const distinct: Value[] = [];
  const positions = values.map((value) => {
    const key = keyOf(value);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, distinct.push(value));
    return distinct.length;
  });
  return { distinct, positions };
}

const areaKey = ({ locationId, areaCode }: IncomingScan) => `${locationId}\n${areaCode}`;
const loginOf = ({ sentBy }: IncomingScan) => sentBy.loginHash.toString("base64");

/**
 * Inserts the candidates that count now; leaves out the others, among them those whose number or operation id is taken. The
 * areas are locked in the order of their ids before the session is read, so that it can't have ended in between; see the
 * function `session_under_locks`. Sorted as `insertRound` sorts.
 */
async function insertCounted(
  database: Database,
  sessionId: string,
  { version }: SessionIndex,
  candidates: readonly Candidate[],
): Promise<StoredRow[]> {
  const scans = candidates.map(({ incoming }) => incoming);
  const areas = numbered(scans, areaKey);
  const logins = numbered(scans, loginOf);
  const hashes = logins.distinct.map(({ sentBy }) => sentBy.loginHash);
  const rows = candidates.map(({ incoming, sku }, index) => ({
    area: areas.positions[index],
    login: logins.positions[index],
    store_id: incoming.storeId,
    quantity: incoming.quantity,
    sku,
    person: incoming.scannedById,
    ...sentColumns(incoming),
  }));
  const result = await sql<StoredRow>`${sql.raw(preparedMark)}
    with caller as materialized (
      select given.position, login.user_id from unnest(${hashes}::bytea[]) with ordinality as given (token_hash, position)
      join (${openLogins(sql`${hashes}::bytea[]`)}) login on login.token_hash = given.token_hash),
    area as materialized (
      select area.id, area.location_id, area.store_id, area.code, area.pass, named.position
      from unnest(${areas.distinct.map(({ locationId }) => locationId)}::uuid[],
        ${areas.distinct.map(({ areaCode }) => areaCode)}::text[]) with ordinality as named (location_id, code, position)
      join areas area on area.location_id = named.location_id and lower(area.code) = lower(named.code)
      join locations location on location.id = area.location_id
      where area.status = 'in_progress' and area.deleted_at is null and location.deleted_at is null
      order by area.id
      for key share of area),
    stored as (
      insert into scans (${storedColumns})
      select session.id, session.store_id, area.location_id, area.id, area.pass, scan.sent_pass, scan.device_id, scan.seq,
        scan.op_id, scan.input, scan.input_type, scan.method, scan.quantity, scan.sku, 'counted', null,
        coalesce(to_timestamp(given_ms / 1000.0), now()), to_timestamp(given_ms / 1000.0),
        ${timeKnown(sql`session.start_snapshot_at`)}, scan.person, scan.person, scan.replaces_op_id, scan.replaces_seq
      from session_under_locks(${sessionId}, (select count(*) from area)) session
      cross join json_to_recordset(${JSON.stringify(rows)}::json) as scan (
        area integer, login integer, store_id uuid, sent_pass integer, device_id text, seq bigint, op_id uuid, input text,
        input_type text, method text, quantity integer, sku text, given_ms bigint, time_unknown boolean, replaces_op_id uuid,
        replaces_seq bigint, person uuid)
      join area on area.position = scan.area and area.store_id = session.store_id
        and (scan.sent_pass is null or scan.sent_pass = area.pass)
      join caller on caller.position = scan.login and caller.user_id = scan.person
      where session.status <> 'closed' and session.catalogue_version <= ${version} and scan.store_id = session.store_id
      order by scan.device_id, scan.seq
      on conflict do nothing
      returning id, session_id, area_id, pass, device_id, seq, sku, quantity, status, scanned_at, time_known),
    totalled as (${raiseTotals})
    select id, device_id, seq, area_id, pass, (select code from area where area.id = stored.area_id limit 1) as area_code
    from stored`.execute(database);
  return result.rows;
}
