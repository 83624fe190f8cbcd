import { type RawBuilder, sql } from "kysely";
import type { Database, Transaction } from "../database/pool.ts";
import { nextPass, passesLeftOut } from "./queries.ts";

/**
 * The pass in which an area begins that is added now: beyond all that areas had which had its code in its location before, and beyond
 * those that a device expects which has reset such an area without a network, however often. A device names an area by its code, so that what it counted
 * in the former one would be taken for a count of this one.
 */
export function firstPassOf({
  locationId,
  code,
}: {
  readonly locationId: RawBuilder<unknown>;
  readonly code: RawBuilder<unknown>;
}): RawBuilder<number> {
  return sql<number>`(select coalesce(max(${nextPass}) + ${sql.lit(passesLeftOut)}, 1) from areas
    where areas.location_id = ${locationId} and lower(areas.code) = lower(${code}))`;
}

/** Areas that are added while a session runs begin their first pass in it. */
export async function beginFirstPasses(
  transaction: Transaction,
  sessionId: string,
  areaIds: readonly string[],
): Promise<void> {
  await sql`
    insert into area_passes (session_id, area_id, pass)
    select ${sessionId}::uuid, id, pass from areas where id = any(${areaIds}::uuid[])`.execute(transaction);
}

type PassByArea = ReadonlyMap<string, number>;

/** The first pass that each of the areas has in the session; one that is none of the session's has no entry. */
export function firstPasses(
  database: Database,
  sessionId: string,
  areaIds: readonly string[],
): Promise<PassByArea> {
  return outermostPasses(database, "min", sessionId, areaIds);
}

/** The last pass of each area in a session that is over: the areas may be in a later session by now. */
export function lastPasses(
  database: Database,
  sessionId: string,
  areaIds: readonly string[],
): Promise<PassByArea> {
  return outermostPasses(database, "max", sessionId, areaIds);
}

async function outermostPasses(
  database: Database,
  which: "min" | "max",
  sessionId: string,
  areaIds: readonly string[],
): Promise<PassByArea> {
  if (areaIds.length === 0) return new Map();
  const passes = await database
    .selectFrom("areaPasses")
    .select(["areaId", (pass) => pass.fn[which]("pass").as("pass")])
    .where("sessionId", "=", sessionId)
    .where("areaId", "in", areaIds)
    .groupBy("areaId")
    .execute();
  return new Map(passes.map(({ areaId, pass }) => [areaId, pass]));
}
