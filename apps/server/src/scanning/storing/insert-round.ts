import type { ProductIndex, ScanReason, ScanStatus } from "@stocktake/contract";
import { sql } from "kysely";
import type { SessionProduct } from "../../catalogue/catalogue.ts";
import { preparedMark, type Transaction } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import { isRunningNumber } from "../devices/sequence-numbers.ts";
import { firstClaims, sequenceKey } from "./claims.ts";
import type { IncomingScan, ScanOutcome } from "./incoming-scan.ts";
import { raiseTotals, sentColumns, storedColumns, timeKnown } from "./insert-queries.ts";
import { presentScan } from "./present.ts";
import { type ClassifiedScan, type SessionState, unitsOf } from "./queries.ts";

export interface Round {
  readonly session: SessionState;
  readonly index: ProductIndex<SessionProduct>;
  readonly scans: readonly ClassifiedScan[];
}

interface RoundResult {
  readonly stored: readonly ClassifiedScan[];
  readonly settled: ReadonlyMap<ClassifiedScan, ScanOutcome>;
}

/** A scan as it is stored, with what tells its repeat from another scan. */
interface StoredScan {
  readonly id: number;
  readonly deviceId: string;
  readonly seq: number;
  readonly opId: string | null;
  readonly storeId: string;
  readonly locationId: string;
  readonly areaCode: string;
  readonly input: string;
  readonly inputType: "barcode" | "sku";
  readonly quantity: number;
  readonly packUnits: number | null;
  readonly givenScannedAt: Date | null;
  readonly scannedBy: string;
  readonly sku: string | null;
  readonly pass: number;
  readonly status: ScanStatus;
  readonly reason: ScanReason | null;
}

/** A stored scan's id, with what identifies it in its session. */
interface InsertedScan {
  readonly id: number;
  readonly deviceId: string;
  readonly seq: number;
}

function asRow(scan: ClassifiedScan) {
  const { incoming, area, classification } = scan;
  return {
    location_id: area.locationId,
    area_id: area.id,
    pass: classification.pass,
    quantity: unitsOf(scan),
    pack_units: classification.packUnits,
    tag: classification.tag,
    sku: classification.sku,
    status: classification.isCompared ? "compared" : classification.status,
    reason: classification.reason,
    scanned_by: incoming.scannedById,
    sent_by: incoming.sentBy.userId,
    ...sentColumns(incoming),
  };
}

/**
 * Stores scans and raises the running totals by those that count, in one statement, so that the totals can only be
 * raised by what was stored. Leaves out a scan whose sequence number or operation id is taken; returns the others.
 * Sorted, so that transactions that store the same scans wait for each other instead of for one another in a ring.
 */
async function insertScans(
  transaction: Transaction,
  session: SessionState,
  scans: readonly ClassifiedScan[],
): Promise<InsertedScan[]> {
  const { rows } = await sql<InsertedScan>`${sql.raw(preparedMark)}
    with stored as (
      insert into scans (${storedColumns}, pack_units, tag)
      select ${session.id}::uuid, ${session.storeId}::uuid, location_id, area_id, pass, sent_pass, device_id, seq, op_id,
        input, input_type, method, quantity, sku, status, reason,
        coalesce(to_timestamp(given_ms / 1000.0), now()), to_timestamp(given_ms / 1000.0),
        ${timeKnown(sql`${session.startSnapshotAt}::timestamptz`)}, scanned_by, sent_by, replaces_op_id, replaces_seq, pack_units, tag
      from json_to_recordset(${JSON.stringify(scans.map(asRow))}::json) as scan (
        location_id uuid, area_id uuid, pass integer, sent_pass integer, device_id text, seq bigint, op_id uuid,
        input text, input_type text, method text, quantity integer, pack_units integer, tag text, sku text, status text, reason text, given_ms bigint,
        time_unknown boolean, scanned_by uuid, sent_by uuid, replaces_op_id uuid, replaces_seq bigint)
      order by device_id, seq
      on conflict do nothing
      returning id, session_id, area_id, pass, device_id, seq, sku, quantity, status, scanned_at, time_known),
    totalled as (${raiseTotals})
    select id, device_id, seq from stored`.execute(transaction);
  return rows;
}

/** The stored scans of the session that have a sequence number or an operation id of one of the incoming. */
async function findExistingMatches(
  transaction: Transaction,
  sessionId: string,
  incoming: readonly IncomingScan[],
): Promise<StoredScan[]> {
  const devices = incoming.map(({ deviceId }) => deviceId);
  const sequences = incoming.map(({ seq }) => seq);
  const operations = incoming.flatMap(({ opId }) => opId ?? []);
  const { rows } = await sql<StoredScan>`
    with existing as (
      select scan.* from scans scan
      join unnest(${devices}::text[], ${sequences}::bigint[]) as taken (device_id, seq)
        on scan.session_id = ${sessionId} and scan.device_id = taken.device_id and scan.seq = taken.seq
      union
      select scan.* from scans scan
      where scan.session_id = ${sessionId} and scan.op_id = any(${operations}::uuid[]))
    select scan.id, scan.device_id, scan.seq, scan.op_id, scan.store_id,
      scan.location_id, area.code as area_code, scan.input, scan.input_type,
      scan.quantity, scan.pack_units, scan.given_scanned_at, scan.scanned_by, scan.sku, scan.pass, scan.status, scan.reason
    from existing scan join areas area on area.id = scan.area_id`.execute(transaction);
  return rows;
}

/** The highest stored sequence number of each device in the session that it can go on from. */
async function highestSequences(
  transaction: Transaction,
  sessionId: string,
  deviceIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (deviceIds.length === 0) return new Map();
  const { rows } = await sql<{ deviceId: string; seq: number | null }>`
    select device.device_id,
      (select max(scan.seq) from scans scan where scan.session_id = ${sessionId} and scan.device_id = device.device_id
        and ${isRunningNumber(sql.ref("scan.seq"))}) as seq
    from unnest(${deviceIds}::text[]) as device (device_id)`.execute(transaction);
  return new Map(rows.map(({ deviceId, seq }) => [deviceId, seq ?? 0]));
}

/**
 * Stores the scans that clash with none, and settles every scan that was stored before or clashes with a stored one. A
 * scan is left unsettled when it waited for another of the same group which then turned out to be a repeat: it goes into
 * the next round. Each round settles at least the first scan.
 */
export async function insertRound(transaction: Transaction, round: Round): Promise<RoundResult> {
  const { session, index, scans } = round;
  const first = firstClaims(scans);
  const rows = await insertScans(transaction, session, first);
  const inserted = new Map(rows.map((row) => [sequenceKey(row), row.id]));
  const settled = new Map<ClassifiedScan, ScanOutcome>();
  for (const scan of first) {
    const { seq } = scan.incoming;
    const id = inserted.get(sequenceKey(scan.incoming));
    if (id !== undefined) {
      const { area, classification } = scan;
      const quantity = unitsOf(scan);
      settled.set(
        scan,
        presentScan({ id, seq, quantity, areaCode: area.code, ...classification }, index, false),
      );
    }
  }
  const stored = [...settled.keys()];
  const rest = scans.filter((scan) => !settled.has(scan));
  for (const [scan, outcome] of await settleRepeats(transaction, round, rest)) settled.set(scan, outcome);
  return { stored, settled };
}

/** The outcome of each scan that was stored before or clashes with a stored one. */
export async function settleRepeats(
  transaction: Transaction,
  { session, index }: Round,
  scans: readonly ClassifiedScan[],
): Promise<Map<ClassifiedScan, ScanOutcome>> {
  const settled = new Map<ClassifiedScan, ScanOutcome>();
  if (scans.length === 0) return settled;
  const compared = await compareAll(transaction, session, scans);
  const refused = compared.filter(({ comparison }) => comparison.kind === "conflict");
  const deviceIds = new Set(refused.map(({ scan }) => scan.incoming.deviceId));
  const highest = await highestSequences(transaction, session.id, [...deviceIds]);
  for (const { scan, comparison } of compared) {
    if (comparison.kind === "repeat") settled.set(scan, presentScan(comparison.stored, index, true));
    if (comparison.kind === "conflict") settled.set(scan, sequenceConflict(scan.incoming, highest));
  }
  return settled;
}

async function compareAll(
  transaction: Transaction,
  session: SessionState,
  scans: readonly ClassifiedScan[],
): Promise<{ scan: ClassifiedScan; comparison: Comparison }[]> {
  const incoming = scans.map((scan) => scan.incoming);
  const existing = await findExistingMatches(transaction, session.id, incoming);
  const byOperation = new Map(existing.map((stored) => [stored.opId, stored]));
  const bySequence = new Map(existing.map((stored) => [sequenceKey(stored), stored]));
  return scans.map((scan) => ({
    scan,
    comparison: compareWithStored(scan.incoming, {
      byOperation: scan.incoming.opId === null ? undefined : byOperation.get(scan.incoming.opId),
      bySequence: bySequence.get(sequenceKey(scan.incoming)),
    }),
  }));
}

/** The stored scans with the operation id of an incoming one, or with its device's sequence number. */
interface ExistingMatches {
  readonly byOperation: StoredScan | undefined;
  readonly bySequence: StoredScan | undefined;
}

type Comparison =
  | { readonly kind: "repeat"; readonly stored: StoredScan }
  | { readonly kind: "conflict" }
  | { readonly kind: "new" };

/**
 * Tells a repeat from a new scan and from a clash (docs/API.md, "Duplicate"). An operation id decides alone, so that a
 * renumbered scan which had arrived stays one scan. By number and content only a person's own scan is repeated: whoever counts
 * an area again could otherwise guess scan by scan what was counted before them.
 */
function compareWithStored(incoming: IncomingScan, { byOperation, bySequence }: ExistingMatches): Comparison {
  if (byOperation !== undefined) return { kind: "repeat", stored: byOperation };
  if (bySequence === undefined) return { kind: "new" };
  const bothHaveOperations = incoming.opId !== null && bySequence.opId !== null;
  const isOwn = incoming.scannedById === bySequence.scannedBy;
  const repeats = !bothHaveOperations && isOwn && hasSameContent(incoming, bySequence);
  return repeats ? { kind: "repeat", stored: bySequence } : { kind: "conflict" };
}

function hasSameContent(incoming: IncomingScan, stored: StoredScan): boolean {
  return (
    incoming.storeId === stored.storeId &&
    incoming.locationId === stored.locationId &&
    incoming.areaCode.toLowerCase() === stored.areaCode.toLowerCase() &&
    incoming.input === stored.input &&
    incoming.inputType === stored.inputType &&
    incoming.quantity * (stored.packUnits ?? 1) === stored.quantity &&
    (incoming.scannedAtMs === null ||
      stored.givenScannedAt === null ||
      incoming.scannedAtMs === stored.givenScannedAt.getTime())
  );
}

function sequenceConflict(
  { deviceId, highestSeq }: IncomingScan,
  highest: ReadonlyMap<string, number>,
): ApiError {
  return new ApiError(
    "SEQ_CONFLICT",
    "Another scan of this device already has this number. Nothing was stored; send this one with the next free number.",
    { nextSeq: Math.max(highest.get(deviceId) ?? 0, highestSeq) + 1 },
  );
}
