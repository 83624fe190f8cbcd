import type { ExplainedScan } from "@stocktake/contract";
import { sql } from "kysely";
import * as z from "zod/mini";
import type { Database } from "../../database/pool.ts";
import { NumberPosition, type Page, type PageRequest, readPage } from "../../kernel/paging.ts";
import { type Neighbour, presentNeighbour, scanAfter, scanBefore } from "../../sessions/sessions.ts";

/** A SKU of a session. */
export interface SkuOfSession {
  readonly sessionId: string;
  readonly sku: string;
}

interface ScanRow
  extends Omit<
    ExplainedScan,
    | "_id"
    | "before"
    | "after"
    | "scannedAt"
    | "receivedAt"
    | "voidedAt"
    | "voidedBy"
    | "resolvedAt"
    | "resolvedBy"
  > {
  readonly id: number;
  /** Microseconds since 1970, as exact as the database keeps them: a time that can't be may be beyond what a number holds. */
  readonly micros: string;
  readonly scannedAt: Date;
  readonly receivedAt: Date;
  readonly voidedAt: Date | null;
  readonly voidedBy: string | null;
  readonly resolvedAt: Date | null;
  readonly resolvedBy: string | null;
  readonly before: Neighbour | null;
  readonly after: Neighbour | null;
}

/** When a scan was made, and which of those that were made at once it is. */
const ScanPosition = z.tuple([z.string().check(z.regex(/^-?\d{1,18}$/)), NumberPosition]);
type Position = z.infer<typeof ScanPosition>;

/** A page of the scans of a SKU, in the order in which they were made, whatever became of them. */
export function listScansOf(
  reader: Database,
  ofSession: SkuOfSession,
  page: PageRequest,
  total: number,
): Promise<Page<ExplainedScan>> {
  const scans = readPage(page, {
    position: ScanPosition,
    positionOf: ({ micros, id }: ScanRow): Position => [micros, id],
    read: (after, count) => readScans(reader, ofSession, after, count),
    count: async () => total,
  });
  return scans.then(({ items, ...rest }) => ({ ...rest, items: items.map(present) }));
}

async function readScans(
  reader: Database,
  { sessionId, sku }: SkuOfSession,
  after: Position | null,
  count: number,
): Promise<ScanRow[]> {
  const isLater = after === null ? sql`true` : sql`(micros, id) > (${after[0]}::bigint, ${after[1]}::bigint)`;
  const { rows } = await sql<ScanRow>`
    select scan.id, scan.micros::text as micros, scan.area_id, scan.pass, scan.device_id, scan.seq, scanner.username, scan.input,
      scan.input_type, scan.method, scan.quantity, scan.pack_units, scan.status, scan.reason, scan.scanned_at, scan.time_known,
      scan.received_at, scan.voided_at, voider.username as voided_by, scan.resolved_at,
      resolver.username as resolved_by, decision.note, ${scanBefore} as before, ${scanAfter} as after
    from (
      select * from (
        select *, (extract(epoch from scanned_at) * 1000000)::bigint as micros
        from scans where session_id = ${sessionId} and sku = ${sku}) timed
      where ${isLater}
      order by micros, id
      limit ${count}) scan
    join users scanner on scanner.id = scan.scanned_by
    left join users voider on voider.id = scan.voided_by
    left join users resolver on resolver.id = scan.resolved_by
    left join scan_decisions decision on decision.scan_id = scan.id
    order by scan.micros, scan.id`.execute(reader);
  return rows;
}

function present({ id, micros: _, ...row }: ScanRow): ExplainedScan {
  return {
    ...row,
    _id: String(id),
    scannedAt: row.scannedAt.toISOString(),
    receivedAt: row.receivedAt.toISOString(),
    voidedAt: row.voidedAt?.toISOString() ?? null,
    voidedBy: personOf(row.voidedBy),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    resolvedBy: personOf(row.resolvedBy),
    before: presentNeighbour(row.before),
    after: presentNeighbour(row.after),
  };
}

export function personOf(username: string | null): { username: string } | null {
  return username === null ? null : { username };
}
