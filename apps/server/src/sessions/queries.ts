import { type CountingSession, type ExceptionCounts, naturalOrder } from "@stocktake/contract";
import { type RawBuilder, type Selectable, sql } from "kysely";
import { canAccessSession } from "../auth/auth.ts";
import type { Database, Transaction } from "../database/pool.ts";
import type { OpenArea, SessionsTable } from "../database/tables.ts";
import { waitForTurn } from "../database/turns.ts";
import { ApiError, notFound } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { newestFirst, type Page, type PageRequest, pageOf } from "../kernel/paging.ts";
import { readArchives, requireUnarchived, type SessionArchive } from "./archive-queries.ts";

export type SessionRow = Selectable<SessionsTable> & { readonly storeName: string };

function sessionsWithStore(database: Database, caller: Caller) {
  return database
    .selectFrom("sessions")
    .innerJoin("stores", "stores.id", "sessions.storeId")
    .selectAll("sessions")
    .select("stores.name as storeName")
    .where(canAccessSession(caller, "sessions"));
}

/** The sessions that the caller can access, newest first. */
export async function listSessions(
  database: Database,
  caller: Caller,
  page: PageRequest,
): Promise<Page<CountingSession>> {
  const rows = await sessionsWithStore(database, caller).execute();
  const sessions = pageOf(
    page,
    rows,
    newestFirst<SessionRow>(({ startedAt }) => startedAt),
  );
  const archives = await readArchives(database);
  return { ...sessions, items: sessions.items.map((row) => presentTo(caller, row, archives.get(row.id))) };
}

/** The note, what it follows and where it is archived are the administrator's own. */
function presentTo({ role }: Caller, row: SessionRow, archive: SessionArchive | undefined): CountingSession {
  const shown = presentSession(row);
  // What is in a file moves no stock: it is held once it is brought back.
  if (role === "admin")
    return archive === undefined ? shown : { ...shown, restored: false, archived: archive };
  const { note: _note, followUpOf: _followUpOf, ...session } = shown;
  return session;
}

/** Throws NOT_FOUND for a session that does not exist or that the caller can't access, SESSION_ARCHIVED. */
export async function findSession(database: Database, caller: Caller, id: string): Promise<SessionRow> {
  const session = await sessionsWithStore(database, caller).where("sessions.id", "=", id).executeTakeFirst();
  if (session === undefined) throw notFound("The session");
  // Only what has ended is ever archived.
  if (session.status === "closed") await requireUnarchived(database, id);
  return session;
}

/**
 * Locks the session's row against every other change of it, not against rows that refer to it, which scans write.
 * Throws NOT_FOUND, SESSION_ARCHIVED.
 */
export async function lockSession(transaction: Transaction, id: string): Promise<Selectable<SessionsTable>> {
  const session = await transaction
    .selectFrom("sessions")
    .selectAll()
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (session === undefined) throw notFound("The session");
  // After the lock: whoever archives a session holds its row until its rows are gone.
  if (session.status === "closed") await requireUnarchived(transaction, id);
  return session;
}

/**
 * Waits for its turn among everything that begins to move or to read the stock of the Shopify location, of whichever
 * store: before any row is locked, until the transaction ends.
 */
export async function lockShopifyLocation(
  transaction: Transaction,
  shopifyLocationId: string,
): Promise<void> {
  await waitForTurn(transaction, `stock of ${shopifyLocationId}`);
}

/** The last booking of the ledger. Each follows what it is of, so that all up to this one has been moved by now. */
export const lastBooking = sql<number>`(select coalesce(max(id), 0) from stock_ledger)`;

/** Whether stock of the Shopify location is being moved by the deploy or the rollback of any of its sessions. */
export async function movesStock(reader: Database, shopifyLocationId: string): Promise<boolean> {
  const { rows } = await sql`
    select from sessions session
    where session.shopify_location_id = ${shopifyLocationId} and (
      exists (select from adjustments adjustment
        where adjustment.session_id = session.id and adjustment.status = 'pending')
      or exists (select from operations operation
        where operation.session_id = session.id and operation.status = 'running'
          and operation.kind in ('deploy', 'rollback')))
    limit 1`.execute(reader);
  return rows.length > 0;
}

/**
 * Of a session that came out of a backup nothing moves stock, because what was moved since is not known here.
 * @throws ApiError SESSION_RESTORED.
 */
export function requireReleased({ restored }: Pick<SessionRow, "restored">): void {
  if (!restored) return;
  throw new ApiError(
    "SESSION_RESTORED",
    "This session was restored from a backup, so its stock may have been moved since in a way that is not known here. " +
      "Nothing was changed. Open its report, compare it with Shopify's stock and release it there first.",
  );
}

/** The session has ended, and its Shopify location was gone: nothing was read at its end. */
export function endedWithoutStock({
  endedAt,
  endSnapshotAt,
}: Pick<SessionRow, "endedAt" | "endSnapshotAt">): boolean {
  return endedAt !== null && endSnapshotAt === null;
}

/** A session that is ending still counts: only its snapshot shows that it ends. */
export function presentSession(row: SessionRow): CountingSession {
  return {
    _id: row.id,
    storeId: { _id: row.storeId, name: row.storeName },
    status: row.status === "closed" ? "closed" : "active",
    scope: row.scope,
    startedAt: row.startedAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    snapshot: { status: row.status === "ending" ? "ending" : "complete", items: row.items },
    openAreas: presentOpenAreas(row.openAreas),
    restored: row.restored,
    name: row.name,
    note: row.note,
    ...(row.followUpOf === null ? {} : { followUpOf: row.followUpOf }),
    ...(row.onlySkus === null ? {} : { only: row.onlySkus }),
    ...(endedWithoutStock(row) ? { withoutEndStock: true } : {}),
  };
}

function presentOpenAreas(areas: readonly OpenArea[]): CountingSession["openAreas"] {
  const order = naturalOrder();
  return areas
    .toSorted((left, right) => order(left.code, right.code))
    .map(({ id, code, name, status }) => ({ _id: id, code, name, status }));
}

/** Condition over an adjustment: it has neither failed nor been rolled back. A session has one such at most. */
export function isActiveAdjustment(alias: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql<boolean>`(${column("status")} <> 'failed' and ${column("rolledBackAt")} is null)`;
}

/**
 * Whether the session's counts are in Shopify, or are on their way there: an adjustment is pending, partial or
 * applied, and not rolled back. From then on nothing may change what was counted.
 */
export async function isDeployed(reader: Database, sessionId: string): Promise<boolean> {
  return (await deployedAtOf(reader, sessionId)) !== null;
}

/** The deploy by which a report is deployed: when it was asked for, and what of what nobody counted it was to set to zero. */
export interface CurrentDeploy {
  readonly deployedAt: Date;
  readonly zeroUncounted: boolean;
  readonly zeroSearched: boolean;
}

/** Null where the report is not deployed. What was searched for is in the log alone, and not of a deploy that set none of it to zero. */
export async function currentDeployOf(reader: Database, sessionId: string): Promise<CurrentDeploy | null> {
  const { rows } = await sql<CurrentDeploy>`
    select deploy.applied_at as deployed_at, deploy.zero_uncounted, coalesce((
      select (asked.after->>'zeroSearched')::boolean from audit_entries asked
      where asked.chain = ${sessionId} and asked.action = 'deploy.requested' and asked.subject_id = deploy.id::text
      limit 1), false) as zero_searched
    from adjustments deploy
    where deploy.session_id = ${sessionId} and ${isActiveAdjustment("deploy")}
    limit 1`.execute(reader);
  return rows[0] ?? null;
}

/** When the deploy was asked for by which the report is deployed; null where it is not. */
export async function deployedAtOf(reader: Database, sessionId: string): Promise<Date | null> {
  const adjustment = await reader
    .selectFrom("adjustments")
    .select("appliedAt")
    .where("sessionId", "=", sessionId)
    .where(isActiveAdjustment("adjustments"))
    .executeTakeFirst();
  return adjustment?.appliedAt ?? null;
}

/** Nothing that the report was made of changes any more once it is deployed. @throws ApiError REPORT_DEPLOYED. */
export async function requireUndeployed(reader: Database, sessionId: string): Promise<void> {
  if (!(await isDeployed(reader, sessionId))) return;
  throw new ApiError(
    "REPORT_DEPLOYED",
    "This report has been deployed to Shopify. Roll the deploy back before you change it.",
  );
}

/** How many scans of the session wait for an administrator. */
export function countExceptions(reader: Database, sessionId: string): Promise<ExceptionCounts> {
  return reader
    .selectFrom("scans")
    .select(sql<number>`count(*) filter (where status = 'unresolved')`.as("unresolved"))
    .select(sql<number>`count(*) filter (where status = 'late')`.as("late"))
    .where("sessionId", "=", sessionId)
    .where("status", "in", ["unresolved", "late"])
    .executeTakeFirstOrThrow();
}
