import type { CountingSession } from "@stocktake/contract";
import { sql } from "kysely";
import { begin, makeStore, type TestStore } from "../../testing/scenes.ts";
import type { TestServer } from "../../testing/test-server.ts";

/** A SKU as Shopify has it and as its one area counted it; null: nobody counted it. */
export interface SeededSku {
  readonly sku: string;
  readonly productTitle: string;
  readonly size: string;
  readonly unitCostCents: number | null;
  readonly onHand: number;
  counted: number | null;
  /** Which of the areas, in the order of their codes. */
  readonly area: number;
}

/** The same numbers for the same seed: each call gives a whole number from 0 to below `end`. */
export function seededNumbers(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % end;
  };
}

const sizes = ["XS", "S", "M", "L", "XL"] as const;

/** 10,000 SKUs, 2,000 products of five sizes, in 80 areas, counted as they are. One in twenty has no known cost. */
export function seededShop(below: (end: number) => number): SeededSku[] {
  return Array.from({ length: 10_000 }, (_none, index) => {
    const product = Math.floor(index / 5);
    const size = sizes[index % 5] ?? "M";
    const onHand = 5 + below(36);
    return {
      ...{ sku: `SHIRT-${String(product).padStart(4, "0")}-${size}`, productTitle: `Shirt ${product}`, size },
      ...{ unitCostCents: below(20) === 0 ? null : 500 + below(1_500), onHand, counted: onHand },
      area: Math.floor(index / 125),
    };
  });
}

export interface SeededCount {
  readonly store: TestStore;
  readonly session: CountingSession;
}

/** A session in which the shop was counted so: its areas are closed, and its totals are put into the database as they are. */
export async function keepSeededCount(server: TestServer, skus: readonly SeededSku[]): Promise<SeededCount> {
  const areaCodes = Array.from({ length: 80 }, (_none, index) => `A${index + 1}`);
  const store = await makeStore(server, { areaCodes });
  const session = await begin(server, store);
  const rows = JSON.stringify(
    skus.map(({ area, ...sku }) => ({ ...sku, areaId: store.areas[area]?.id ?? "" })),
  );
  const { database } = server.database;
  const given = sql`jsonb_to_recordset(${rows}::jsonb) as given("sku" text, "productTitle" text, "size" text,
    "unitCostCents" integer, "onHand" integer, "counted" integer, "areaId" uuid)`;
  await sql`delete from session_items where session_id = ${session._id}`.execute(database);
  await sql`
    insert into session_items (session_id, sku, plain_sku, inventory_item_id, variant_number, product_title, size,
      start_on_hand, start_available, unit_cost_cents, tracked, bundle, stocked)
    select ${session._id}, sku, sku, sku, sku, "productTitle", size, "onHand", "onHand", "unitCostCents", true, false, true
    from ${given}`.execute(database);
  await sql`
    insert into scan_totals (session_id, area_id, pass, sku, quantity)
    select ${session._id}, "areaId", area.pass, sku, counted
    from ${given} join areas area on area.id = "areaId" where counted > 0`.execute(database);
  await sql`update areas set status = 'closed', closed_at = now() where store_id = ${store.id}`.execute(
    database,
  );
  await sql`update area_passes set ended_as = 'closed', ended_at = now() where session_id = ${session._id}`.execute(
    database,
  );
  await sql`analyze session_items, scan_totals`.execute(database);
  return { store, session };
}

/** What is counted in a session, to be compared with what is later. */
export async function totalsOf(server: TestServer, { session }: SeededCount): Promise<unknown> {
  const { rows } = await sql`
    select area_id, pass, sku, quantity from scan_totals where session_id = ${session._id}
    order by area_id, pass, sku`.execute(server.database.database);
  return rows;
}
