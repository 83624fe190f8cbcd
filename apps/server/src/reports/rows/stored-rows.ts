import { type RawBuilder, type Selectable, sql } from "kysely";
import { exactInteger } from "../../database/exact-integer.ts";
import type { SessionsTable } from "../../database/tables.ts";
import { countedStock, type Skus } from "../counted-stock-queries.ts";

/** What of a report's row is stored as such, or summed up where it is stored. */
export interface StoredRow {
  readonly sku: string;
  readonly inventoryItemId: string;
  readonly productTitle: string;
  readonly size: string | null;
  readonly image: string | null;
  /** Shopify's on hand in the two snapshots; absent or not stocked is 0. */
  readonly startOnHand: number;
  readonly endOnHand: number;
  /** The last manual count, else its counted scans, else 0. */
  readonly counted: number;
  /** Whether anyone counted it at all; a manual count of 0 is a count. */
  readonly hasCount: boolean;
  readonly manual: boolean;
  readonly unitCostCents: number | null;
  /** The names of the areas it was found in; null where it was found in none. */
  readonly areas: readonly string[] | null;
  readonly firstCountedAt: Date | null;
  readonly lastCountedAt: Date | null;
  /** How many of its scans have a time that can't be; first and last speak of the others. */
  readonly unknownTimes: number;
  readonly tracked: boolean;
  readonly bundle: boolean;
  readonly stocked: boolean;
  readonly gone: boolean;
}

/** A stored row as the database sends it; times are milliseconds since 1970, as the driver would cut them off. */
interface PackedRow {
  readonly packed: readonly [
    sku: string,
    inventoryItemId: string,
    productTitle: string,
    size: string | null,
    image: string | null,
    startOnHand: number,
    endOnHand: number,
    counted: number,
    hasCount: boolean,
    manual: boolean,
    unitCostCents: number | null,
    areas: readonly string[] | null,
    firstCountedAt: number | null,
    lastCountedAt: number | null,
    unknownTimes: number,
    tracked: boolean,
    bundle: boolean,
    stocked: boolean,
    gone: boolean,
  ];
}

const epochMs = (column: string) => sql`floor(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`;

/**
 * The statement that reads the stored rows of a session, in no order unless given. Each comes as one array of JSON: the driver takes twice as long
 * to make one of its nineteen columns by themselves, and that was most of what the rows of a large report took.
 * @param order the SKUs that are wanted, in the order of their rows
 */
export function storedRows(
  session: Selectable<SessionsTable>,
  skus: Skus,
  order: readonly string[] | null = null,
): RawBuilder<PackedRow> {
  const inOrder =
    order === null
      ? sql``
      : sql`join unnest(${order}::text[]) with ordinality wanted (sku, place) using (sku) order by wanted.place`;
  return sql<PackedRow>`
    with ${countedStock(session, skus, { withAreas: true })}
    select json_build_array(sku, inventory_item_id, product_title, size, image, start_on_hand, end_on_hand, counted, has_count,
      manual, unit_cost_cents, areas, ${epochMs("first_counted_at")}, ${epochMs("last_counted_at")}, unknown_times,
      tracked, bundle, stocked, gone) as packed
    from stock ${inOrder}`;
}

function timeOf(epoch: number | null): Date | null {
  return epoch === null ? null : new Date(epoch);
}

/** @throws RangeError where a quantity or a cost is too large for a number to hold it exactly */
export function storedRow({ packed }: PackedRow): StoredRow {
  const unitCostCents = packed[10];
  return {
    sku: packed[0],
    inventoryItemId: packed[1],
    productTitle: packed[2],
    size: packed[3],
    image: packed[4],
    startOnHand: packed[5],
    endOnHand: packed[6],
    counted: exactInteger(packed[7]),
    hasCount: packed[8],
    manual: packed[9],
    unitCostCents: unitCostCents === null ? null : exactInteger(unitCostCents),
    areas: packed[11],
    firstCountedAt: timeOf(packed[12]),
    lastCountedAt: timeOf(packed[13]),
    unknownTimes: packed[14],
    tracked: packed[15],
    bundle: packed[16],
    stocked: packed[17],
    gone: packed[18],
  };
}
