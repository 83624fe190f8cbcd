import { type RawBuilder, sql } from "kysely";
import type { Database, Transaction } from "../database/pool.ts";
import { largestCents } from "../kernel/money.ts";
import { hasOwnStock } from "../reports/reports.ts";
import type { HeldLimits, HeldTolerance } from "./beyond-tolerance.ts";
import type { Session } from "./material-queries.ts";

/** Whose tolerance it is. */
export type ToleranceOf = { readonly storeId: string } | { readonly sessionId: string };

export type StoredTolerance = Pick<HeldTolerance, "over" | "short">;

const columns = [
  "overUnits",
  "overCents",
  "overStockShare",
  "overMoneyShare",
  "shortUnits",
  "shortCents",
  "shortStockShare",
  "shortMoneyShare",
] as const;

/** Condition over `tolerances`. */
export function isToleranceOf(of: ToleranceOf): RawBuilder<boolean> {
  return "storeId" in of
    ? sql<boolean>`store_id = ${of.storeId}`
    : sql<boolean>`session_id = ${of.sessionId}`;
}

export async function readTolerance(database: Database, of: ToleranceOf): Promise<StoredTolerance | null> {
  const row = await database
    .selectFrom("tolerances")
    .select(columns)
    .where(isToleranceOf(of))
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    over: {
      ...{ units: row.overUnits, cents: row.overCents },
      ...{ stockShare: row.overStockShare, moneyShare: row.overMoneyShare },
    },
    short: {
      ...{ units: row.shortUnits, cents: row.shortCents },
      ...{ stockShare: row.shortStockShare, moneyShare: row.shortMoneyShare },
    },
  };
}

/** The tolerance that holds in a session: its own, else its store's; null where no limit is set. */
export async function readHeldTolerance(
  database: Database,
  { id, storeId }: Pick<Session, "id" | "storeId">,
): Promise<HeldTolerance | null> {
  const held =
    (await readTolerance(database, { sessionId: id })) ?? (await readTolerance(database, { storeId }));
  if (held === null || (!hasLimit(held.over) && !hasLimit(held.short))) return null;
  const needsStock = held.over.moneyShare !== null || held.short.moneyShare !== null;
  return { ...held, stockCents: needsStock ? await readStockCents(database, id) : 0 };
}

function hasLimit(limits: HeldLimits): boolean {
  return Object.values(limits).some((limit) => limit !== null);
}

/** What the stock of known cost that a session is compared with was worth at its start, in hundredths, at most the largest amount that is worked with. */
async function readStockCents(database: Database, sessionId: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select least(coalesce(sum(start_on_hand::numeric * unit_cost_cents), 0), ${largestCents}::numeric)::bigint as cents
    from session_items item where session_id = ${sessionId} and start_on_hand > 0 and ${hasOwnStock}`.execute(
    database,
  );
  return rows[0]?.cents ?? 0;
}

/** The sessions that count, or one of them, as far as they or their stores have a tolerance. */
export function findSessionsWithTolerance(database: Database, sessionId: string | null): Promise<Session[]> {
  return database
    .selectFrom("sessions")
    .selectAll()
    .where("status", "=", "active")
    .$if(sessionId !== null, (query) => query.where("id", "=", sessionId ?? ""))
    .where(
      sql<boolean>`exists (select from tolerances
        where tolerances.session_id = sessions.id or tolerances.store_id = sessions.store_id)`,
    )
    .execute();
}

/** When the last of the closed areas of a session's store was closed, in seconds; null where none is. */
export async function readLastClosing(database: Database, sessionId: string): Promise<number | null> {
  const { rows } = await sql<{ at: number | null }>`
    select extract(epoch from max(areas.closed_at))::double precision as at
    from areas join sessions session on session.store_id = areas.store_id
    where session.id = ${sessionId} and areas.status = 'closed' and areas.deleted_at is null`.execute(
    database,
  );
  return rows[0]?.at ?? null;
}

/** Gives the store's tolerance, or that it has none, to each of its ended sessions without one: it held when they ended. */
export async function keepForEnded(transaction: Transaction, storeId: string): Promise<void> {
  const kept = sql.join(columns.map((column) => sql.ref(column)));
  await sql`
    insert into tolerances (session_id, ${kept})
    select session.id, ${sql.join(columns.map((column) => sql.ref(`held.${column}`)))}
    from sessions session left join tolerances held on held.store_id = session.store_id
    where session.store_id = ${storeId} and session.status = 'closed'
    on conflict (session_id) where session_id is not null do nothing`.execute(transaction);
}
