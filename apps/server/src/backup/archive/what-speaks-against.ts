import { sql } from "kysely";
import { lateScanDays } from "../../auth/auth.ts";
import type { Transaction } from "../../database/pool.ts";
import { countText } from "../../kernel/formats.ts";
import { countExceptions, isDeployed } from "../../sessions/sessions.ts";

/** A session as far as it matters to its archiving. */
export interface ListedSession {
  readonly id: string;
  readonly store: string;
  readonly name: string | null;
  readonly status: "active" | "ending" | "closed";
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly restored: boolean;
}

/** Every reason for which a session stays where it is, each a sentence that says what to do; none where it can be archived. */
export async function whatSpeaksAgainst(transaction: Transaction, session: ListedSession): Promise<string[]> {
  if (session.status !== "closed" || session.endedAt === null) return ["It has not ended."];
  const reasons = [
    session.restored
      ? "It came out of a backup and is held: compare it with Shopify's stock and release it on its report."
      : null,
    await takesLateScans(transaction, session.id),
    await worksOn(transaction, session.id),
    await isHalfMoved(transaction, session.id),
    await waitsForDecisions(transaction, session.id),
    await isFollowed(transaction, session.id),
    await isLastCountOf(transaction, session.id),
  ];
  return reasons.filter((reason) => reason !== null);
}

async function takesLateScans(transaction: Transaction, id: string): Promise<string | null> {
  const { rows } = await sql<{ until: Date }>`
    select ended_at + make_interval(days => ${lateScanDays}) as until from sessions
    where id = ${id} and ended_at > now() - make_interval(days => ${lateScanDays})`.execute(transaction);
  const until = rows[0]?.until.toISOString().slice(0, 10);
  return until === undefined ? null : `Phones may still send scans of it until ${until}.`;
}

/** A follow-up that starts reads the session that it is of. */
async function worksOn(transaction: Transaction, id: string): Promise<string | null> {
  const { rows } = await sql`
    select from operations
    where status = 'running' and (session_id = ${id} or input ->> 'followUpOf' = ${id}) limit 1`.execute(
    transaction,
  );
  return rows.length === 0 ? null : "The server is working on it: a start, a deploy or a rollback runs.";
}

async function isHalfMoved(transaction: Transaction, id: string): Promise<string | null> {
  const open = await transaction
    .selectFrom("adjustments")
    .select("id")
    .where("sessionId", "=", id)
    .where("status", "in", ["pending", "partial"])
    .executeTakeFirst();
  return open === undefined
    ? null
    : "Its deploy or rollback is not finished: resume it, settle its rows or leave them in the Adjustment History.";
}

/** What is deployed can't be decided on any more: such scans go into the file and come back as they are. */
async function waitsForDecisions(transaction: Transaction, id: string): Promise<string | null> {
  const { unresolved, late } = await countExceptions(transaction, id);
  if (unresolved + late === 0 || (await isDeployed(transaction, id))) return null;
  const scans = countText(unresolved + late, "scan waits", "scans wait");
  return `${scans} for a decision: accept or dismiss what waits on its report.`;
}

async function isFollowed(transaction: Transaction, id: string): Promise<string | null> {
  const open = await transaction
    .selectFrom("sessions")
    .select("id")
    .where("followUpOf", "=", id)
    .where("status", "<>", "closed")
    .executeTakeFirst();
  return open === undefined ? null : "A follow-up of it counts: end that first.";
}

const areasNamed = 3;

/**
 * What a later session expects in an area is what the last one counted there: searches for what was never counted ask it, and count sheets
 * list it. Areas that were merged into another lie in it; nobody counts in a store that is deleted.
 */
async function isLastCountOf(transaction: Transaction, id: string): Promise<string | null> {
  const { rows } = await sql<{ codes: string[] }>`
    with counted as (
      select distinct total.session_id, coalesce(area.merged_into, area.id) as area_id
      from scan_totals total
      join areas area on area.id = total.area_id
      join sessions session on session.id = total.session_id
      where total.quantity > 0 and session.status = 'closed'
        and session.store_id = (select store_id from sessions where id = ${id}))
    select coalesce(array_agg(area.code order by area.code), '{}') as codes
    from counted own
    join areas area on area.id = own.area_id and area.deleted_at is null
    join stores store on store.id = area.store_id and store.deleted_at is null
    join sessions session on session.id = own.session_id
    where own.session_id = ${id} and not exists (
      select from counted other
      join sessions later on later.id = other.session_id
      where other.area_id = own.area_id and later.ended_at > session.ended_at)`.execute(transaction);
  const codes = rows[0]?.codes ?? [];
  if (codes.length === 0) return null;
  const more = codes.length > areasNamed ? ` and ${codes.length - areasNamed} more` : "";
  return (
    `It is the last count of ${codes.length === 1 ? "area" : "areas"} ${codes.slice(0, areasNamed).join(", ")}${more}, by which ` +
    "search lists and count sheets know what to expect there."
  );
}
