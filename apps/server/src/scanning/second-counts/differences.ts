import type { CountDifference } from "@stocktake/contract";
import { sql } from "kysely";
import * as z from "zod/mini";
import type { Database } from "../../database/pool.ts";
import { type Page, type PageRequest, readPage, StoredText } from "../../kernel/paging.ts";
import {
  type ComparedRow,
  comparedColumns,
  comparedTables,
  isOfPresentCount,
  presentCompared,
} from "../../passes/passes.ts";

interface Row extends ComparedRow {
  readonly sku: string;
  readonly productTitle: string;
  readonly size: string | null;
  readonly thirdCountOpen: boolean;
}

const Position = z.tuple([z.guid(), z.int(), StoredText]);
type Position = z.infer<typeof Position>;

interface Differences extends Page<CountDifference> {
  /** How many of the whole list nobody has settled. */
  readonly open: number;
}

/**
 * A page of the SKUs whose counts differ in an area, in the order of the areas' ids, passes and SKUs. Of counts that an area has left
 * behind, because it was reopened, none is listed: they say nothing any more.
 */
export async function listDifferences(
  database: Database,
  sessionId: string,
  page: PageRequest,
): Promise<Differences> {
  const totals = await countDifferences(database, sessionId);
  const rows = await readPage(page, {
    position: Position,
    positionOf: ({ areaId, ofPass, sku }: Row): Position => [areaId, ofPass, sku],
    read: (after, count) => readRows(database, sessionId, after, count),
    count: async () => totals.all,
  });
  return { ...rows, items: rows.items.map(presentCompared), open: totals.open };
}

/** Condition over `compared`: it differs, and its pass counts. */
const differs = sql<boolean>`compared.settled_as is distinct from 'equal' and ${isOfPresentCount}`;

async function countDifferences(
  database: Database,
  sessionId: string,
): Promise<{ all: number; open: number }> {
  const { rows } = await sql<{ all: number; open: number }>`
    select count(*) as all, count(*) filter (where settled_as is null) as open
    from compared_counts compared where session_id = ${sessionId} and ${differs}`.execute(database);
  return rows[0] ?? { all: 0, open: 0 };
}

async function readRows(
  database: Database,
  sessionId: string,
  after: Position | null,
  count: number,
): Promise<Row[]> {
  const [areaId, ofPass, sku] = after ?? [null, null, null];
  const { rows } = await sql<Row>`
    select ${comparedColumns}, compared.sku, item.product_title, item.size,
      exists (select from second_counts attempt
        where attempt.session_id = compared.session_id and attempt.area_id = compared.area_id
          and attempt.of_pass = compared.of_pass and attempt.ended_as is null) as third_count_open
    from ${comparedTables}
    join session_items item on item.session_id = compared.session_id and item.sku = compared.sku
    where compared.session_id = ${sessionId} and ${differs}
      and (${areaId}::uuid is null
        or (compared.area_id, compared.of_pass, compared.sku) > (${areaId}::uuid, ${ofPass}::integer, ${sku}))
    order by compared.area_id, compared.of_pass, compared.sku
    limit ${count}`.execute(database);
  return rows;
}
