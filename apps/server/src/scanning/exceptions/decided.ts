import type { DecidedScan } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../../database/pool.ts";
import { NumberPosition, type Page, type PageRequest, readPage } from "../../kernel/paging.ts";
import { requireSession } from "./session-queries.ts";

interface DecidedRow extends Omit<DecidedScan, "_id" | "area" | "decidedAt"> {
  readonly id: number;
  /** The number of the decision. */
  readonly number: number;
  readonly areaId: string;
  readonly areaCode: string;
  readonly areaName: string;
  readonly decidedAt: Date;
}

/** The scans of a session that an administrator decided on, the last decision first. Throws NOT_FOUND. */
export async function listDecided(
  database: Database,
  sessionId: string,
  page: PageRequest,
): Promise<Page<DecidedScan>> {
  await requireSession(database, sessionId);
  const scans = await readPage(page, {
    position: NumberPosition,
    positionOf: ({ number }: DecidedRow) => number,
    read: (before, count) => readDecided(database, sessionId, before ?? Number.MAX_SAFE_INTEGER, count),
    count: () => countDecided(database, sessionId),
  });
  return { ...scans, items: scans.items.map(present) };
}

/** Up to `count` scans that were decided on before the decision of this number. */
async function readDecided(
  database: Database,
  sessionId: string,
  before: number,
  count: number,
): Promise<DecidedRow[]> {
  const { rows } = await sql<DecidedRow>`
    select scan.id, decided.number, decided.decision, scan.input, scan.quantity, scan.sku, item.product_title, item.size,
      area.id as area_id, area.code as area_code, area.name as area_name, person.username,
      decider.username as decided_by, scan.resolved_at as decided_at, decided.note as reason,
      scan.status = 'counted' or scan.reason = 'DISMISSED' as can_be_taken_back
    from scan_decisions decided
    join scans scan on scan.id = decided.scan_id
    join areas area on area.id = scan.area_id
    join users person on person.id = scan.scanned_by
    join users decider on decider.id = scan.resolved_by
    left join session_items item on item.session_id = scan.session_id and item.sku = scan.sku
    where decided.session_id = ${sessionId} and decided.number < ${before}
    order by decided.number desc
    limit ${count}`.execute(database);
  return rows;
}

async function countDecided(database: Database, sessionId: string): Promise<number> {
  const { scans } = await database
    .selectFrom("scanDecisions")
    .select(({ fn }) => fn.countAll<number>().as("scans"))
    .where("sessionId", "=", sessionId)
    .executeTakeFirstOrThrow();
  return Number(scans);
}

function present({ id, number: _number, areaId, areaCode, areaName, ...row }: DecidedRow): DecidedScan {
  return {
    ...row,
    _id: String(id),
    area: { _id: areaId, code: areaCode, name: areaName },
    decidedAt: row.decidedAt.toISOString(),
  };
}
