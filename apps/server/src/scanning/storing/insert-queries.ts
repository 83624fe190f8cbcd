import { type RawBuilder, sql } from "kysely";
import { milliseconds } from "../../database/durations.ts";
import { clockToleranceMs } from "../../kernel/clock.ts";
import { countingTimes } from "../../passes/passes.ts";
import type { IncomingScan } from "./incoming-scan.ts";

const clockTolerance = milliseconds(clockToleranceMs);

/**
 * Condition over a scan's `given_ms` and `time_unknown`: its time is known. Nothing was scanned before the session's stock was
 * read, or after the scan was received: then nobody knows when, as where the device says that it does not.
 */
export function timeKnown(startSnapshotAt: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(not time_unknown and (given_ms is null or to_timestamp(given_ms / 1000.0)
    between ${startSnapshotAt} - ${clockTolerance} and now() + ${clockTolerance}))`;
}

/**
 * What of a scan is stored as it came, under the names of its columns. To be spread into a row as its last part: V8 moves a row
 * that is spread first and added to afterwards to a slower shape, which took thirty microseconds and seven kilobytes each.
 */
export function sentColumns(incoming: IncomingScan) {
  return {
    sent_pass: incoming.sentPass,
    device_id: incoming.deviceId,
    seq: incoming.seq,
    op_id: incoming.opId,
    input: incoming.input,
    input_type: incoming.inputType,
    method: incoming.method,
    given_ms: incoming.scannedAtMs,
    time_unknown: incoming.isTimeUnknown,
    replaces_op_id: incoming.replacesOpId,
    replaces_seq: incoming.replacesSeq,
  };
}

/** The columns of `scans` that storing a scan fills. */
export const storedColumns = sql`session_id, store_id, location_id, area_id, pass, sent_pass, device_id, seq, op_id, input,
  input_type, method, quantity, sku, status, reason, scanned_at, given_scanned_at, time_known, scanned_by, sent_by, replaces_op_id,
  replaces_seq`;

/**
 * Raises the running totals by those of the rows of `stored` that count, in the statement that stores them, so that the
 * totals can only be raised by what was stored.
 */
export const raiseTotals = sql`
  insert into scan_totals as total (session_id, area_id, pass, sku, quantity, first_counted_at, last_counted_at,
    unknown_times)
  select session_id, area_id, pass, sku, sum(quantity), ${countingTimes("stored")}
  from stored where status = 'counted'
  group by session_id, area_id, pass, sku
  order by session_id, area_id, pass, sku
  on conflict (session_id, area_id, pass, sku) do update
  set quantity = total.quantity + excluded.quantity,
    first_counted_at = least(total.first_counted_at, excluded.first_counted_at),
    last_counted_at = greatest(total.last_counted_at, excluded.last_counted_at),
    unknown_times = total.unknown_times + excluded.unknown_times`;
