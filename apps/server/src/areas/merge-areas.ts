import type { Area } from "@stocktake/contract";
import { sql } from "kysely";
import { actorOf, areaName, recordAudit } from "../audit/audit.ts";
import type { Transaction } from "../database/pool.ts";
import { ApiError, invalidField, notFound } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import {
  beginNextPass,
  isSaidOfPass,
  leftOutAreas,
  type Pass,
  renumberLeftOut,
  skipExpectedPasses,
} from "../passes/passes.ts";
import { findRunningSession, lockStore } from "../stores/stores.ts";
import { lockAreas, readArea } from "./area-queries.ts";
import { findArea } from "./queries.ts";
import type { AreaServices } from "./services.ts";

interface Merged {
  /** It goes. */
  readonly areaId: string;
  /** It stays, with its code, its name and its place. */
  readonly intoAreaId: string;
}

/**
 * Makes two areas of a store one: the label of the one that goes opens the other from now on. While a session runs only where
 * nothing has begun in either, because nobody could tell what of the shelf a count of one of them covers. What a device without a
 * network has scanned in either comes as late, for an administrator to decide about.
 * @throws ApiError NOT_FOUND, VALIDATION for an area and itself or areas of two stores, AREA_BEGUN.
 */
export async function mergeAreas(
  { database, events }: AreaServices,
  caller: Caller,
  { areaId, intoAreaId }: Merged,
): Promise<Area> {
  const gone = await findArea(database, caller, areaId);
  const { storeId } = await findArea(database, caller, intoAreaId);
  if (areaId === intoAreaId) throw invalidField("intoAreaId", "Choose another area to merge this one into.");
  if (gone.storeId !== storeId) throw invalidField("intoAreaId", "The two areas are of different stores.");
  const { area, sessionId } = await database.transaction().execute(async (transaction) => {
    const store = await lockStore(transaction, storeId, "to change");
    if (store === undefined) throw notFound("The area");
    const sessionId = (await findRunningSession(transaction, storeId)) ?? null;
    const areas = await lockAreas(transaction, storeId);
    const [from, into] = [areaId, intoAreaId].map((id) => areas.find((area) => area.id === id));
    if (from === undefined || into === undefined) throw notFound("The area");
    if (sessionId !== null) await requireNothingBegun(transaction, sessionId, [from, into]);
    const leftOut = sessionId === null ? new Set() : await leftOutAreas(transaction, sessionId);
    await moveReferences(transaction, { areaId, intoAreaId }, sessionId);
    await recordAudit(transaction, {
      sessionId,
      actor: actorOf(caller),
      action: "area.merged",
      subject: { kind: "area", id: areaId, name: areaName(from) },
      before: { code: from.code, name: from.name, status: from.status },
      after: { into: areaName(into) },
    });
    if (sessionId !== null) {
      await openAgain(transaction, caller, sessionId, [from, into]);
      const current = { sessionId, areaId: intoAreaId, pass: into.pass };
      await beginAnew(transaction, caller, current, leftOut.has(areaId) && leftOut.has(intoAreaId));
    }
    return { area: await readArea(transaction, caller, intoAreaId), sessionId };
  });
  events.publish({ type: "area", storeId, areaId });
  const running = sessionId === null ? {} : { sessionId, pass: area.pass };
  events.publish({ type: "area", storeId, areaId: intoAreaId, ...running });
  return area;
}

interface LockedArea {
  readonly id: string;
  readonly pass: number;
  readonly code: string;
  readonly name: string;
  readonly status: "not_started" | "in_progress" | "closed";
}

/** Scans of every status count here, voided and late ones too; so does an area that was closed as empty. */
async function requireNothingBegun(
  transaction: Transaction,
  sessionId: string,
  areas: readonly LockedArea[],
): Promise<void> {
  const ids = areas.map(({ id }) => id);
  const { rows } = await sql<{ areaId: string }>`
    select distinct area_id from scans where session_id = ${sessionId} and area_id = any(${ids}::uuid[])`.execute(
    transaction,
  );
  const scanned = new Set(rows.map((row) => row.areaId));
  const begun = areas.filter(({ id, status }) => status !== "not_started" || scanned.has(id));
  if (begun.length === 0) return;
  const codes = begun.map(({ code }) => code).join(" and ");
  throw new ApiError(
    "AREA_BEGUN",
    `Nothing was changed, because counting has begun in ${codes}: nobody could tell what of the shelf has been counted. ` +
      "Areas can be merged before anybody counts in them, or once the session has ended.",
  );
}

/** What names the area that goes names the other from now on: labels, plans, and in a running session who is to count it. */
async function moveReferences(
  transaction: Transaction,
  { areaId, intoAreaId }: Merged,
  sessionId: string | null,
): Promise<void> {
  await sql`update areas set merged_into = ${intoAreaId} where merged_into = ${areaId}`.execute(transaction);
  // By the clock, not as the transaction began: the session may have ended while this one waited for the store.
  await sql`update areas set merged_into = ${intoAreaId}, deleted_at = clock_timestamp() where id = ${areaId}`.execute(
    transaction,
  );
  await sql`
    update session_plans set area_ids = array(
      select distinct case when id = ${areaId}::uuid then ${intoAreaId}::uuid else id end from unnest(area_ids) id)
    where ${areaId}::uuid = any(area_ids) and session_id is null`.execute(transaction);
  if (sessionId === null) return;
  await sql`
    insert into area_assignments (session_id, area_id, invitation_id, user_id)
    select session_id, ${intoAreaId}::uuid, invitation_id, user_id from area_assignments
    where session_id = ${sessionId} and area_id = ${areaId}
    on conflict do nothing`.execute(transaction);
  // Where only one of the two was to be counted the whole is.
  await sql`
    delete from session_left_out_areas where session_id = ${sessionId} and area_id = ${intoAreaId}
      and not exists (select from session_left_out_areas other
        where other.session_id = ${sessionId} and other.area_id = ${areaId})`.execute(transaction);
}

/**
 * Begins the next pass of the area that stays: a phone without a network may have opened it, and finished it, when it was half of the shelf.
 * What it sends then is of a count that is over, also where the phone has reset the area, once or more, and expects a further number. What was said of the area stays,
 * and so does that the session was to count neither of the two (`bothLeftOut`).
 */
async function beginAnew(
  transaction: Transaction,
  caller: Caller,
  current: Pass,
  bothLeftOut: boolean,
): Promise<void> {
  await skipExpectedPasses(transaction, current);
  const next = bothLeftOut
    ? await renumberLeftOut(transaction, current)
    : (await beginNextPass(transaction, current, { endedAs: "reset", endedBy: caller.userId })).pass;
  await sql`
    update area_statements set pass = ${next}
    where session_id = ${current.sessionId} and area_id = ${current.areaId} and pass = ${current.pass}`.execute(
    transaction,
  );
}

/**
 * Takes back that the area which stays is void, unless the other was void too: the reason was given for its own shelf alone, and what comes
 * to it would be counted nowhere.
 */
async function openAgain(
  transaction: Transaction,
  caller: Caller,
  sessionId: string,
  [from, into]: readonly [LockedArea, LockedArea],
): Promise<void> {
  const isVoid = ({ id }: LockedArea) =>
    sql<boolean>`exists (select from areas area where area.id = ${id} and ${isSaidOfPass("void", {
      sessionId: sql`${sessionId}`,
      areaId: sql.ref("area.id"),
      pass: sql.ref("area.pass"),
    })})`;
  const { rows } = await sql<{ reason: string }>`
    delete from area_statements
    where session_id = ${sessionId} and area_id = ${into.id} and stated_as = 'void' and ${isVoid(into)} and not ${isVoid(from)}
    returning reason`.execute(transaction);
  for (const { reason } of rows) {
    await recordAudit(transaction, {
      sessionId,
      actor: actorOf(caller),
      action: "coverage.area_taken_back",
      subject: { kind: "area", id: into.id, name: areaName(into) },
      before: { as: "void", reason },
      after: null,
    });
  }
}
