import { sql } from "kysely";
import type { TestCounter } from "../../testing/scenes.ts";
import { type CountingScene, codes } from "./scene.ts";

export interface WaitingScans {
  readonly count: number;
  readonly pass: number;
  readonly status: "unresolved" | "late" | "compared";
  /** Late scans of this product; without it the scans are of a code that fits none. */
  readonly sku: string | null;
  /** How many devices take turns to scan them: the first ones have one more each. */
  readonly devices: number;
  /** Over how many passes of the area they are spread, from `pass` on. */
  readonly passes: number;
}

/** Scans of a counter that are stored already; unless told, each from a device of its own. */
export async function putWaiting(
  { server, session, store }: CountingScene,
  { userId }: Pick<TestCounter, "userId">,
  waiting: Pick<WaitingScans, "count"> & Partial<WaitingScans>,
): Promise<void> {
  const { count, pass = 1, status = "unresolved", sku = null, devices = count, passes = 1 } = waiting;
  const [input, reason] = sku === null ? [codes.unknown.input, "UNKNOWN_CODE"] : [sku, "PASS_OVER"];
  await sql`
    insert into scans (session_id, store_id, location_id, area_id, pass, device_id, seq, input, input_type, method, status,
      reason, sku, scanned_at, scanned_by, sent_by)
    select ${session._id}::uuid, area.store_id, area.location_id, area.id, ${pass}::integer + mod(n - 1, ${passes}::integer), ${userId} || '-' || mod(n - 1, ${devices}::integer), n,
      ${input}, 'barcode', 'scan', ${status}, ${reason}, ${sku}::text, now(), ${userId}::uuid, ${userId}::uuid
    from generate_series(1, ${count}::integer) n
    join areas area on area.id = ${store.areas[0]?.id}::uuid`.execute(server.database.database);
}
