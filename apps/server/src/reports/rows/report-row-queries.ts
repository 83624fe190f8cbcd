import { groupBy, type LeftAlone, type SearchState, type UncertainReason } from "@stocktake/contract";
import { type Selectable, sql } from "kysely";
import { readByCursor } from "../../database/cursor.ts";
import type { Database, Transaction } from "../../database/pool.ts";
import type { SessionsTable } from "../../database/tables.ts";
import { inSlices } from "../../kernel/slices.ts";
import { skusInQuestion } from "../../passes/passes.ts";
import { deployedAtOf } from "../../sessions/sessions.ts";
import { among, replacedSkus, type Skus } from "../counted-stock-queries.ts";
import { findLaterSessions, readCountedIn } from "../other-sessions/counted-later-queries.ts";
import { type CountOfSku, readSearched, searchStateOf } from "../searched/searched-queries.ts";
import type { OnHandReading } from "../variance.ts";
import { type StoredRow, storedRow, storedRows } from "./stored-rows.ts";

type Session = Selectable<SessionsTable>;

/** One SKU in scope: the two snapshots, the count, and what Shopify can do with it. */
export interface ReportRow extends StoredRow {
  /** What was found uncertain about it when it was counted again, the session ended, a late scan was accepted, or it was released. */
  readonly found: ReadonlySet<UncertainReason>;
  /** Of MOVED_SINCE_BACKUP among these: it holds of what was counted before this alone; null where it holds of any count. */
  readonly movedBefore: Date | null;
  /** In spite of which reasons an administrator has decided to deploy it all the same, and which count for each. */
  readonly inclusions: ReadonlyMap<string, number>;
  /** On hand as read while the session ran, in order of time; empty where it was never seen to move. */
  readonly readings: readonly OnHandReading[];
  /** A session of the same Shopify location that ended later has it in scope; once it is deployed, one that had ended by then. */
  readonly countedLater: boolean;
  /** Units booked by deploys, less those rolled back. */
  readonly booked: number;
  /** How far it is searched for; null where nobody was asked to, and where it was counted and nobody had said otherwise. */
  readonly search: SearchState | null;
  /** Who left it alone on purpose, and why; a count overrides it. Null where nobody did. */
  readonly leftAlone: LeftAlone | null;
}

async function readReadings(
  reader: Database,
  session: Session,
  skus: Skus,
): Promise<Map<string, OnHandReading[]>> {
  const found = await reader
    .selectFrom("stockReadings")
    .select(["sku", "readAt", "onHand", "touched"])
    .where("sessionId", "=", session.id)
    .where(among(sql`sku`, skus))
    .orderBy("readAt")
    .execute();
  const bySku = groupBy(found, ({ sku }) => sku);
  return new Map(
    Array.from(bySku, ([sku, readings]) => [
      sku,
      readings.map(({ readAt, ...reading }) => ({ at: readAt.getTime(), ...reading })),
    ]),
  );
}

/** What of a row other statements have read. */
type AddedFacts = Pick<ReportRow, "readings" | "countedLater" | "booked" | "search" | "leftAlone">;

type Decisions = Pick<ReportRow, "found" | "movedBefore" | "inclusions">;

const undecided: Decisions = { found: new Set(), movedBefore: null, inclusions: new Map() };

/** Few of a session's SKUs have any, so that they are read by themselves. */
async function readDecisions(reader: Database, session: Session): Promise<ReadonlyMap<string, Decisions>> {
  const { id } = session;
  const { rows } = await sql<{
    sku: string;
    found: UncertainReason[];
    movedBefore: Date | null;
    inclusions: Record<string, number>;
  }>`
    select sku, coalesce(array_agg(reason) filter (where not included), '{}') as found,
      case when bool_or(not included and reason = 'MOVED_SINCE_BACKUP' and counted_before is null) then null
        else max(counted_before) end as moved_before,
      coalesce(jsonb_object_agg(reason, counted) filter (where included), '{}') as inclusions
    from (
      select sku, reason, false as included, counted_before, null::bigint as counted
      from uncertain_figures where session_id = ${id}
      union all
      select sku, 'COUNTS_DIFFER', false, null, null from ${skusInQuestion(id)} differing
      union all
      select sku, 'REPLACED_IN_SHOP', false, null, null from ${replacedSkus(session)} replaced
      union all
      select sku, reason, true, null, counted from included_figures where session_id = ${id}) decision
    group by sku`.execute(reader);
  return new Map(
    rows.map(({ sku, found, movedBefore, inclusions }) => [
      sku,
      {
        found: new Set(found),
        movedBefore,
        inclusions: new Map(Object.entries(inclusions)),
      },
    ]),
  );
}

/** Few of a session's SKUs were left alone, so that they are read by themselves. */
async function readLeftAlone(
  reader: Database,
  { id }: Session,
  skus: Skus,
): Promise<ReadonlyMap<string, LeftAlone>> {
  const { rows } = await sql<{ sku: string; reason: string; by: string; leftAt: Date }>`
    select alone.sku, alone.reason, person.username as by, alone.left_at
    from left_alone_items alone join users person on person.id = alone.left_by
    where alone.session_id = ${id} and ${among(sql`alone.sku`, skus)}`.execute(reader);
  return new Map(rows.map(({ sku, leftAt, ...said }) => [sku, { ...said, at: leftAt.toISOString() }]));
}

/** Of most sessions nothing was booked yet: read by itself, so that the ledger is not asked about each row. */
async function readBooked(
  reader: Database,
  { id }: Session,
  rows: readonly Pick<ReportRow, "inventoryItemId">[] | null,
): Promise<ReadonlyMap<string, number>> {
  const items = rows?.map(({ inventoryItemId }) => inventoryItemId) ?? null;
  const { rows: booked } = await sql<{ item: string; units: number }>`
    select ledger.inventory_item_id as item, sum(ledger.delta)::bigint as units
    from stock_ledger ledger
    where ledger.session_id = ${id} and ${among(sql`ledger.inventory_item_id`, items)}
    group by ledger.inventory_item_id`.execute(reader);
  return new Map(booked.map(({ item, units }) => [item, units]));
}

/** What was counted of a row's SKU. That there is none is only of counts of an area: by hand any figure is a count. */
export function countOfRow({
  hasCount,
  manual,
  counted,
}: Pick<StoredRow, "hasCount" | "manual" | "counted">): CountOfSku {
  if (!hasCount) return null;
  return !manual && counted === 0 ? "none" : "some";
}

/** Reads what other statements tell of the rows of some SKUs, and adds it to each. */
async function readAdded(
  reader: Database,
  session: Session,
  skus: Skus,
): Promise<(row: StoredRow, booked: ReadonlyMap<string, number>) => ReportRow> {
  const decisions = await readDecisions(reader, session);
  const laterSessions = await findLaterSessions(reader, session, await deployedAtOf(reader, session.id));
  const countedLater = await readCountedIn(reader, session, skus, laterSessions);
  const readings = await readReadings(reader, session, skus);
  const searched = await readSearched(reader, session.id, skus);
  const leftAlone = await readLeftAlone(reader, session, skus);
  return (row, booked) =>
    reportRow(row, decisions.get(row.sku) ?? undecided, {
      countedLater: countedLater.has(row.sku),
      readings: readings.get(row.sku) ?? [],
      booked: booked.get(row.inventoryItemId) ?? 0,
      search: searchStateOf(searched.get(row.sku), countOfRow(row)),
      leftAlone: leftAlone.get(row.sku) ?? null,
    });
}

/** Rows that are read or put together before others go on: some milliseconds' work, their use included. */
const rowsAtOnce = 500;

/** Every SKU in the session's scope, or those asked for (in scope or not), in no order. */
export async function readReportRows(
  reader: Database,
  session: Session,
  skus: Skus = null,
): Promise<ReportRow[]> {
  const { rows: packed } = await storedRows(session, skus).execute(reader);
  const rows = await inSlices(packed, rowsAtOnce, storedRow);
  const added = await readAdded(reader, session, skus);
  const booked = await readBooked(reader, session, skus === null ? null : rows);
  return inSlices(rows, rowsAtOnce, (row) => added(row, booked));
}

/**
 * The same rows some at a time, so that others have their turn between, and so that they need not be held all at once.
 * @param order the SKUs that are wanted, in the order of their rows; null: all of `skus`, in no order
 */
export async function* readReportRowsInTurn(
  transaction: Transaction,
  session: Session,
  skus: Skus,
  order: readonly string[] | null = null,
): AsyncGenerator<ReportRow[]> {
  const added = await readAdded(transaction, session, skus);
  const booked = await readBooked(transaction, session, null);
  for await (const rows of readByCursor(transaction, storedRows(session, skus, order), rowsAtOnce)) {
    yield rows.map((packed) => added(storedRow(packed), booked));
  }
}

/**
 * Field by field: an object to which so many are added, or which is made by spreading others, is a table of its fields to V8. It takes
 * four times the memory, and of a large report half of the time went into making, reading and collecting such.
 */
function reportRow(row: StoredRow, decided: Decisions, added: AddedFacts): ReportRow {
  return {
    sku: row.sku,
    inventoryItemId: row.inventoryItemId,
    productTitle: row.productTitle,
    size: row.size,
    image: row.image,
    startOnHand: row.startOnHand,
    endOnHand: row.endOnHand,
    counted: row.counted,
    hasCount: row.hasCount,
    manual: row.manual,
    unitCostCents: row.unitCostCents,
    areas: row.areas,
    firstCountedAt: row.firstCountedAt,
    lastCountedAt: row.lastCountedAt,
    unknownTimes: row.unknownTimes,
    tracked: row.tracked,
    bundle: row.bundle,
    stocked: row.stocked,
    gone: row.gone,
    found: decided.found,
    movedBefore: decided.movedBefore,
    inclusions: decided.inclusions,
    countedLater: added.countedLater,
    readings: added.readings,
    booked: added.booked,
    search: added.search,
    leftAlone: added.leftAlone,
  };
}
