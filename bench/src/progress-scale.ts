import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { listAreas, sessionPasses, sessionProgress } from "@stocktake/contract";
import { createDatabase, type OpenDatabase } from "@stocktake/server/database/pool.ts";
import { openForCommand } from "@stocktake/server/embedded-postgres/embedded.ts";
import { startEmulator } from "@stocktake/shopify-emulator";
import { ApiClient, startProduct } from "@stocktake/testkit";
import { loadText, machineText } from "./machine.ts";
import { beginSession, openStore } from "./rehearsal/store-floor.ts";
import { median, timesOf } from "./times.ts";

/**
 * `npm run bench:progress [-- --scans N --times N]`: what pages ask for again and again while a session runs, with a million
 * scans in it, beside one reading of these scans in the database.
 */

type Pool = OpenDatabase["pool"];

const adminPassword = "the bench's own password";
const [areas, devices] = [100, 50];

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Scans of every area by every device. The database keeps the totals of devices by itself. */
async function fill(pool: Pool, sessionId: string, scans: number): Promise<void> {
  await pool.query("set statement_timeout = 0");
  await pool.query(
    `with area as (
       select id, location_id, store_id, pass, row_number() over (order by id) - 1 as place from areas)
     insert into scans (session_id, store_id, location_id, area_id, pass, device_id, seq, op_id, input, input_type, method,
       sku, status, scanned_at, scanned_by, sent_by)
     select $1, area.store_id, area.location_id, area.id, area.pass, 'device-' || number % ${devices}, number,
       gen_random_uuid(), 'code', 'barcode', 'scan', 'SKU-' || number % 20000, 'counted', now(), person.id, person.id
     from generate_series(1, $2::integer) number
     join area on area.place = (number / ${devices}) % ${areas}
     cross join (select id from users where role = 'admin') person`,
    [sessionId, scans],
  );
  await pool.query("update areas set status = 'in_progress'");
  await pool.query("vacuum analyze");
}

/** The median in milliseconds, after a first time that does not count. */
async function warmMedian(times: number, work: () => Promise<unknown>): Promise<number> {
  await work();
  return median(await timesOf(times, work));
}

async function measure(admin: ApiClient, pool: Pool, sessionId: string, times: number): Promise<void> {
  const reading = await warmMedian(times, () =>
    pool.query("select area_id, device_id, sum(quantity) from scans where session_id = $1 group by 1, 2", [
      sessionId,
    ]),
  );
  print(`  one reading of the scans: p50 ${reading.toFixed(1)} ms (${loadText()})`);
  const progress = await warmMedian(times, () => admin.call(sessionProgress, { params: { id: sessionId } }));
  const list = await warmMedian(times, () => admin.call(listAreas));
  const passes = await warmMedian(times, () => admin.call(sessionPasses, { params: { id: sessionId } }));
  print(`  progress: p50 ${progress.toFixed(1)} ms, ${(progress / reading).toFixed(3)} of that reading`);
  print(`  the list of areas: p50 ${list.toFixed(1)} ms, ${(list / reading).toFixed(3)} of that reading`);
  print(`  the passes: p50 ${passes.toFixed(1)} ms, ${(passes / reading).toFixed(3)} of that reading`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { scans: { type: "string", default: "1000000" }, times: { type: "string", default: "20" } },
  });
  print(`${machineText()}, ${values.scans} scans, ${areas} areas, ${devices} devices`);
  const dataDir = await mkdtemp(join(tmpdir(), "stocktake-progress-"));
  const emulator = await startEmulator();
  const product = await startProduct({ shopifyUrl: emulator.url, adminPassword, dataDir });
  const { connection } = await openForCommand({ databaseUrl: null, dataDir });
  const { pool, close } = createDatabase(connection, { max: 1 });
  try {
    const admin = new ApiClient(product.url);
    const codes = Array.from({ length: areas }, (_none, index) => `A${index + 1}`);
    const { sessionId } = await beginSession(admin, await openStore(admin, adminPassword, codes));
    await fill(pool, sessionId, Number(values.scans));
    await measure(admin, pool, sessionId, Number(values.times));
  } finally {
    await close();
    await product.stop();
    await emulator.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main();
