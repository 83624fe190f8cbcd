import type { ReportView } from "@stocktake/contract";
import type { OpenDatabase } from "@stocktake/server/database/pool.ts";
import { type BareServer, startBareServer } from "../bare-process.ts";
import { median, timesOf } from "../times.ts";
import { download } from "./download.ts";

type Pool = OpenDatabase["pool"];

const rowsAtOnce = 1_000;
const times = 3;

/** What is read: a statement and its values. */
export interface Rows {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The least that an answer could take: its rows read, its bytes sent; milliseconds, in the median of three. */
export interface Floor {
  readonly read: number;
  readonly send: number;
  readonly rows: number;
}

/** Runs the server that sends the bytes of floors. */
export function startBareBytes(): Promise<BareServer> {
  return startBareServer(new URL("./bare-bytes.ts", import.meta.url));
}

/** What a report's rows are made of, as plain columns and with no rule of the product's but which rows a full count shows. */
export function rowsOfReport(sessionId: string, view: ReportView): Rows {
  const shown =
    view === "all"
      ? "counted.sku is not null or item.start_on_hand <> 0 or coalesce(item.end_on_hand, 0) <> 0"
      : "coalesce(counted.quantity, 0) <> coalesce(item.end_on_hand, 0)";
  return {
    text: `
      select item.sku, item.inventory_item_id, item.product_title, item.size, item.image, item.start_on_hand, item.end_on_hand,
        item.unit_cost_cents, item.tracked, item.bundle, item.stocked, item.gone, counted.*
      from session_items item
      left join (
        select total.sku, sum(total.quantity)::integer as quantity, array_agg(area.name) as areas,
          min(total.first_counted_at) as first_counted_at, max(total.last_counted_at) as last_counted_at
        from scan_totals total join areas area on area.id = total.area_id
        where total.session_id = $1 and total.quantity > 0 group by total.sku) counted on counted.sku = item.sku
      where item.session_id = $1 and (${shown})`,
    values: [sessionId],
  };
}

/** What a product map is made of where no session runs. */
export const rowsOfProductMap: Rows = {
  text: "select sku, plain_sku, barcode, product_title, size, image from catalogue_items order by sku",
  values: [],
};

/** Measures the floor of an answer that is made of these rows and is so many bytes long, on the product's own database. */
export async function measureFloor(pool: Pool, bare: BareServer, rows: Rows, bytes: number): Promise<Floor> {
  let count = 0;
  const reads = await timesOf(times, async () => {
    count = await readBare(pool, rows);
  });
  return { read: median(reads), send: await measureSending(bare, bytes), rows: count };
}

/** Milliseconds that bare `node:http` takes to send so many bytes over loopback, once it has them. */
export async function measureSending(bare: BareServer, bytes: number): Promise<number> {
  const send = () => download(`${bare.url}/${bytes}`, "", "identity");
  await send();
  return median(await timesOf(times, send));
}

/** "bare cursor 40 ms (3300 rows) + bare bytes 2 ms, product / both: 8.1". */
export function besideFloor(milliseconds: number, { read, send, rows }: Floor): string {
  const ratio = (milliseconds / (read + send)).toFixed(2);
  return `bare cursor ${read.toFixed(0)} ms (${rows} rows) + bare bytes ${send.toFixed(1)} ms, product / both: ${ratio}`;
}

/** Reads rows by a cursor in one process and throws them away. Returns how many there were. */
async function readBare(pool: Pool, { text, values }: Rows): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    // All rows are wanted, and not the first of them soon.
    await client.query("set local cursor_tuple_fraction = 1");
    await client.query(`declare bare_rows no scroll cursor for ${text}`, [...values]);
    let count = 0;
    for (let fetched = rowsAtOnce; fetched === rowsAtOnce; count += fetched) {
      fetched = (await client.query(`fetch ${rowsAtOnce} from bare_rows`)).rows.length;
    }
    return count;
  } finally {
    await client.query("rollback");
    client.release();
  }
}
