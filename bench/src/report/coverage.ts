import { issueCertificate, leaveStockAlone, listUncoveredStock, readCoverage } from "@stocktake/contract";
import type { OpenDatabase } from "@stocktake/server/database/pool.ts";
import type { ApiClient } from "@stocktake/testkit";
import { loadText } from "../machine.ts";
import { median, timesOf } from "../times.ts";

interface Asked {
  readonly admin: ApiClient;
  readonly pool: OpenDatabase["pool"];
  readonly times: number;
}

/** The middle of so many times, in milliseconds. */
async function medianOf(times: number, work: () => Promise<unknown>): Promise<string> {
  return `${median(await timesOf(times, work)).toFixed(0)} ms`;
}

/** How long what is open takes to be read, kind by kind, and the first page of the stock. */
export async function measureOpen({ admin, times }: Asked, sessionId: string): Promise<string> {
  const params = { id: sessionId };
  const open = await medianOf(times, () => admin.call(readCoverage, { params }));
  const stock = await medianOf(times, () =>
    admin.call(listUncoveredStock, { params, query: { limit: "50" } }),
  );
  return `  what is open: p50 ${open}, its stock ${stock} (aim 1000, ${loadText()})`;
}

/** How long an ended session's certificate takes to be issued, and to be read again and found to hold. */
export async function measureCertificate(asked: Asked, sessionId: string): Promise<string> {
  const { admin, pool, times } = asked;
  const params = { id: sessionId };
  // The scans were stored past the product, which has closed no area's pass.
  await pool.query("update area_passes set ended_as = 'closed' where session_id = $1", [sessionId]);
  const body = { every: {}, leftAlone: true, reason: "A measure" };
  const left = await medianOf(1, () => admin.call(leaveStockAlone, { params, body }));
  const issued = await medianOf(1, () => admin.call(issueCertificate, { params }));
  const read = await medianOf(times, () => admin.call(readCoverage, { params }));
  return `  certificate: issued in ${issued}, read p50 ${read}; the rest left alone in ${left} (aim 1000, ${loadText()})`;
}
