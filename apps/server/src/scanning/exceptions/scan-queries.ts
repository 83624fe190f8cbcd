import { passOfNoCount, readTag } from "@stocktake/contract";
import { sql } from "kysely";
import { areaName } from "../../audit/audit.ts";
import { milliseconds } from "../../database/durations.ts";
import type { Database, Transaction } from "../../database/pool.ts";
import { notFound } from "../../kernel/api-error.ts";
import { comparedErrorMs } from "../../kernel/clock.ts";
import { isMadeFor } from "../../passes/passes.ts";
import { requireUnarchived } from "../../sessions/sessions.ts";
import type { Scan } from "./scans.ts";

/**
 * Condition over `scan` and its `session`: the scan may have been made after the end stock of its item was read, so that
 * it is compared with stock of an earlier moment. A time that is not known may be any until the scan was received, and so may every
 * time of a session in which the clock was set.
 */
export const madeAfterEnd = sql<boolean>`coalesce(session.end_read_from is not null and session.clock_set_at is not null
  or scan.received_at >= session.end_read_from
    and (not scan.time_known or scan.scanned_at >= session.end_read_from - ${milliseconds(comparedErrorMs)}), false)`;

/** Condition over `scans`: it was made for a second count, so that it would count twice beside the first. */
export const isOfSecondCount = sql<boolean>`exists (select from second_counts attempt
  where attempt.session_id = scans.session_id and attempt.area_id = scans.area_id
    and (attempt.pass = scans.pass or scans.pass = ${sql.lit(passOfNoCount)}) and ${isMadeFor("attempt")})`;

/** Of a scan that waits, as the alias `scan`: as many units as were scanned, as accepting it takes them. */
export const waitingUnits = sql<number>`scan.quantity / case when scan.sku is null then coalesce(scan.pack_units, 1) else 1 end`;

const columns = sql`id, status, reason, sku, area_id, pass, input, input_type, quantity, pack_units, tag,
  ${isOfSecondCount} as of_second_count`;

/** The scans as they are, in the order of their ids. Throws NOT_FOUND where one is not the session's, SESSION_ARCHIVED where it may be in its file. */
export async function findScans(
  database: Database,
  sessionId: string,
  ids: readonly number[],
): Promise<readonly Scan[]> {
  const { rows } = await sql<Scan>`
    select ${columns} from scans where session_id = ${sessionId} and id = any(${ids}::bigint[])
    order by id`.execute(database);
  if (rows.length < new Set(ids).size) {
    await requireUnarchived(database, sessionId);
    throw notFound("The scan");
  }
  return rows.map(asScanned);
}

/** As this release would have kept it, of which releases before differ in what no product was found for. */
function asScanned(scan: Scan): Scan {
  return scan.sku === null ? { ...scan, ...withoutPack(scan), tag: scan.tag ?? tagOf(scan) } : scan;
}

/** It may be a read of a tag, stored by a release that knew none. */
function tagOf({ input, inputType }: Scan): string | null {
  return inputType === "barcode" ? (readTag(input)?.key ?? null) : null;
}

/**
 * A scan has a pack only with its product, but where a server of an earlier release took its acceptance back and left the units of the packs.
 * The lists have the same by `waitingUnits`.
 */
function withoutPack({ quantity, packUnits }: Scan): Pick<Scan, "quantity" | "packUnits"> {
  return { quantity: quantity / (packUnits ?? 1), packUnits: null };
}

/** Reads the scans again: their areas are locked by now, so nothing else settles, undoes or voids them meanwhile. */
export async function lockScans(transaction: Transaction, ids: readonly number[]): Promise<readonly Scan[]> {
  const { rows } = await sql<Scan>`
    select ${columns} from scans where id = any(${ids}::bigint[]) order by id for update`.execute(
    transaction,
  );
  return rows.map(asScanned);
}

/** The name of each area. */
export async function namesOfAreas(
  transaction: Transaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const areas = await transaction
    .selectFrom("areas")
    .select(["id", "code", "name"])
    .where("id", "in", [...new Set(ids)])
    .execute();
  return new Map(areas.map((area) => [area.id, areaName(area)]));
}
