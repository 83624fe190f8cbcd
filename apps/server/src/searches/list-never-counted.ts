import type { CallAnswer, CallRequest, listNeverCounted, neverCountedGroups } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { Caller } from "../kernel/caller.ts";
import { costOfUnits, moneyOf } from "../kernel/money.ts";
import { readPage } from "../kernel/paging.ts";
import { readOfSession } from "../reports/reports.ts";
import {
  MissedPosition,
  type MissedSku,
  missedStock,
  positionOfMissed,
  readMissed,
  requireArea,
  requireCounting,
  sumUpMissed,
} from "./never-counted-queries.ts";

type List = CallAnswer<typeof listNeverCounted>;
type Groups = CallAnswer<typeof neverCountedGroups>;

/**
 * A page of what Shopify has and nobody has counted so far.
 * @throws ApiError NOT_FOUND, SESSION_CLOSED, VALIDATION for an area of another store.
 */
export function readNeverCounted(
  database: Database,
  caller: Caller,
  sessionId: string,
  { cursor, limit, ...filter }: CallRequest<typeof listNeverCounted>["query"],
): Promise<List> {
  return readOfSession(database, caller, sessionId, async (reader, session) => {
    requireCounting(session);
    await requireArea(reader, session.storeId, filter.areaId, "areaId");
    const { items: total, units } = await sumUpMissed(reader, sessionId, filter);
    const { items, ...page } = await readPage(
      { cursor, limit },
      {
        position: MissedPosition,
        positionOf: positionOfMissed,
        read: (after, count) => readMissed(reader, sessionId, filter, { after, count }),
        count: async () => total,
      },
    );
    return { rows: items.map(presentMissed), currency: session.currency, units, ...page };
  });
}

function presentMissed({ unitCostCents, state, ...row }: MissedSku): List["rows"][number] {
  return { ...row, worth: moneyOf(costOfUnits(row.onHand, unitCostCents)), search: state };
}

interface GroupRow {
  readonly vendor: string | null;
  readonly productType: string | null;
  readonly items: number;
  readonly unlisted: number;
  readonly notThere: number;
  readonly contradicted: number;
}

const shownAtMost = 100;

/** The brands and types of what nobody has counted so far. @throws ApiError NOT_FOUND, SESSION_CLOSED. */
export function readNeverCountedGroups(
  database: Database,
  caller: Caller,
  sessionId: string,
): Promise<Groups> {
  return readOfSession(database, caller, sessionId, async (reader, session) => {
    requireCounting(session);
    const { rows } = await sql<GroupRow>`
      with ${missedStock(sessionId)}
      select vendor, product_type, count(*) as items, count(*) filter (where state is null) as unlisted,
        count(*) filter (where state = 'not_there') as not_there,
        count(*) filter (where state = 'contradicted') as contradicted
      from missed group by grouping sets ((), (vendor), (product_type))`.execute(reader);
    const all = rows.find(({ vendor, productType }) => vendor === null && productType === null);
    const { items = 0, unlisted = 0, notThere = 0, contradicted = 0 } = all ?? {};
    return {
      ...{ items, unlisted, notThere, contradicted },
      vendors: largest(rows, ({ vendor }) => vendor),
      productTypes: largest(rows, ({ productType }) => productType),
    };
  });
}

function largest(rows: readonly GroupRow[], nameOf: (row: GroupRow) => string | null): Groups["vendors"] {
  return rows
    .flatMap((row) => {
      const name = nameOf(row);
      return name === null ? [] : [{ name, items: row.items, unlisted: row.unlisted }];
    })
    .sort((left, right) => right.items - left.items || left.name.localeCompare(right.name, "en"))
    .slice(0, shownAtMost);
}
