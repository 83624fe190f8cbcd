import type { ExceptionScan } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../../database/pool.ts";
import { NumberPosition, type Page, type PageRequest, readPage } from "../../kernel/paging.ts";
import {
  countExceptions,
  type Neighbour,
  presentNeighbour,
  scanAfter,
  scanBefore,
} from "../../sessions/sessions.ts";
import { replacedUnits } from "./replaced-queries.ts";
import { madeAfterEnd, waitingUnits } from "./scan-queries.ts";
import { requireSession } from "./session-queries.ts";
import { areaOfTag } from "./tagged-queries.ts";

interface ExceptionRow {
  id: number;
  status: ExceptionScan["status"];
  reason: ExceptionScan["reason"];
  input: string;
  inputType: ExceptionScan["inputType"];
  quantity: number;
  sku: string | null;
  productTitle: string | null;
  size: string | null;
  areaId: string;
  areaCode: string;
  areaName: string;
  pass: number;
  deviceId: string;
  username: string;
  scannedAt: Date;
  afterEnd: boolean;
  tagCountedIn: ExceptionScan["tagCountedIn"];
  replacedUnits: number;
  before: Neighbour | null;
  after: Neighbour | null;
}

/**
 * The scans of a session that wait for an administrator, oldest first, each with the device's scans before and after
 * it. Throws NOT_FOUND.
 */
export async function listExceptions(
  database: Database,
  sessionId: string,
  page: PageRequest,
): Promise<Page<ExceptionScan>> {
  await requireSession(database, sessionId);
  const scans = await readPage(page, {
    position: NumberPosition,
    positionOf: ({ id }: ExceptionRow) => id,
    read: (after, count) => readExceptions(database, sessionId, after ?? 0, count),
    count: () => countWaiting(database, sessionId),
  });
  return { ...scans, items: scans.items.map(present) };
}

async function countWaiting(database: Database, sessionId: string): Promise<number> {
  const { unresolved, late } = await countExceptions(database, sessionId);
  return unresolved + late;
}

async function readExceptions(
  database: Database,
  sessionId: string,
  after: number,
  count: number,
): Promise<ExceptionRow[]> {
  const { rows } = await sql<ExceptionRow>`
    select scan.id, scan.status, scan.reason, scan.input, scan.input_type, ${waitingUnits} as quantity, scan.sku, item.product_title, item.size,
      area.id as area_id, area.code as area_code, area.name as area_name, scan.pass, scan.device_id, person.username,
      scan.scanned_at, ${madeAfterEnd} as after_end, ${areaOfTag} as tag_counted_in,
      ${replacedUnits(sql`array[scan.id]`)} as replaced_units, ${scanBefore} as before, ${scanAfter} as after
    from scans scan
    join sessions session on session.id = scan.session_id
    join areas area on area.id = scan.area_id
    join users person on person.id = scan.scanned_by
    left join session_items item on item.session_id = scan.session_id and item.sku = scan.sku
    where scan.session_id = ${sessionId} and scan.status in ('unresolved', 'late') and scan.id > ${after}
    order by scan.id
    limit ${count}`.execute(database);
  return rows;
}

function present(row: ExceptionRow): ExceptionScan {
  return {
    _id: String(row.id),
    status: row.status,
    reason: row.reason,
    input: row.input,
    inputType: row.inputType,
    quantity: row.quantity,
    sku: row.sku,
    productTitle: row.productTitle,
    size: row.size,
    area: { _id: row.areaId, code: row.areaCode, name: row.areaName },
    pass: row.pass,
    deviceId: row.deviceId,
    username: row.username,
    scannedAt: row.scannedAt.toISOString(),
    afterEnd: row.afterEnd,
    tagCountedIn: row.tagCountedIn,
    replacedUnits: row.replacedUnits,
    before: presentNeighbour(row.before),
    after: presentNeighbour(row.after),
  };
}
