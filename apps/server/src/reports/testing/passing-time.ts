import type { TestServer } from "../../testing/test-server.ts";

/** Longer than any two clocks are apart, so that the server finds the shop's clock set and forgets what it measured. */
const hop = 100 * 3_600_000;

/** Sets the shop's clock; the server has measured the new difference as exactly as one that has just begun. */
export async function setShopAhead(server: TestServer, milliseconds: number): Promise<void> {
  await advance(server, hop);
  const { now } = await server.shop.advanceClock({ milliseconds: 0 });
  await advance(server, Date.now() + milliseconds - Date.parse(now));
}

async function advance({ shop, context }: TestServer, milliseconds: number): Promise<void> {
  await shop.advanceClock({ milliseconds });
  await context.platform.shop();
}

const timesOf = {
  sessions: [
    "start_snapshot_at",
    "stock_read_at",
    "end_read_from",
    "end_snapshot_at",
    "started_at",
    "ended_at",
  ],
  scans: ["scanned_at", "given_scanned_at", "received_at"],
  scan_totals: ["first_counted_at", "last_counted_at"],
  area_passes: ["ended_at"],
  stock_readings: ["read_at"],
};

const intoThePast = Object.entries(timesOf).map(([table, columns]) => {
  const key = table === "sessions" ? "id" : "session_id";
  const earlier = columns.map((column) => `${column} = ${column} - $2 * interval '1 millisecond'`);
  return `past_${table} as (update ${table} set ${earlier.join(", ")} where ${key} = $1)`;
});

/**
 * Lets time pass without waiting, more than twenty seconds at once: what has happened in a session so far moves into the
 * past, and the shop's clock goes on by just as much, so that what happened there is as long ago.
 */
export async function letTimePass(
  { database, shop }: TestServer,
  sessionId: string,
  milliseconds: number,
): Promise<void> {
  await database.pool.query(`with ${intoThePast.join(", ")} select`, [sessionId, milliseconds]);
  await shop.advanceClock({ milliseconds });
}
