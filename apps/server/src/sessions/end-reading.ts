import { type RawBuilder, type Selectable, sql } from "kysely";
import { changedSince, type ReadItems, type ShopReading, type StockLevel } from "../catalogue/catalogue.ts";
import { readByCursor } from "../database/cursor.ts";
import { milliseconds } from "../database/durations.ts";
import type { Database, Transaction } from "../database/pool.ts";
import type { SessionsTable } from "../database/tables.ts";
import type { OperationJob } from "../operations/operations.ts";
import { isPlatformError, type LiveLevel } from "../shopify/shopify.ts";
import type { SessionServices } from "./services.ts";
import { readStockAt, requireLocation } from "./shop-reading.ts";

type Session = Selectable<SessionsTable>;

/** A round as short as this leaves little that can have been counted since it began. */
const shortRoundMs = 3_000;
/**
 * Where stock is counted and sold faster than it is read, the session ends all the same, and its rows are marked. Rounds that read
 * a large shop as a whole, as after its whole stock was set by another system, take minutes each.
 */
const mostRounds = 5;
const mostRoundsMs = 5 * 60_000;

/** When what was counted was looked up, in the database's own terms: a node's clock may be ahead of its. */
interface LookUp {
  readonly at: Date;
  /** The oldest transaction that was open then: what it and later ones store was not seen. Null: all before was seen. */
  readonly oldestOpen: string | null;
}

const locationClosedAtEnd =
  "The session still counts, and every scan is kept. If the location was only deactivated, activate it in Shopify and end the session again. " +
  "If it is gone for good, end the session without its stock.";

export interface EndReading extends ShopReading {
  /** What was counted since may have been counted after its stock was read. */
  readonly lastLookUp: LookUp;
  /** The levels of what the session or the shop got while the shop was read, and `items` lacks; by inventory item. */
  readonly lacking: ReadonlyMap<string, StockLevel>;
  /** The inventory items of the session that `items` lacks and that Shopify was asked about: it has them no more. */
  readonly gone: readonly string[];
}

/**
 * Reads the shop at a session's end. Stock moves and is counted while it is read, a bulk operation takes minutes: what
 * changed and what was counted since is read again, until a round was short. So is what the session has and the reading lacks: it
 * was deleted, or created while the shop was read, by when the reading may have passed its place. Throws what `readStockAt` throws.
 */
export async function readEnd(
  context: SessionServices,
  session: Session,
  job: OperationJob,
): Promise<EndReading> {
  const { clock } = context;
  const reading = await readStockAt(context, session.shopifyLocationId, job, locationClosedAtEnd);
  const { items } = reading;
  const newer = new Map<string, StockLevel>();
  const gone = new Set<string>();
  let lookedUp: LookUp = { at: session.endReadFrom ?? reading.beganAt, oldestOpen: null };
  const roundsBeganAt = clock.steady();
  for (let round = 1; round <= mostRounds; round += 1) {
    const beganAt = clock.steady();
    if (beganAt - roundsBeganAt >= mostRoundsMs) break;
    lookedUp = await readAgain(context, session, { items, newer, gone, since: lookedUp, signal: job.signal });
    if (clock.steady() - beganAt < shortRoundMs) break;
  }
  const finishedAt = new Date(clock.now());
  await requireLocation(context, session.shopifyLocationId, job.signal, locationClosedAtEnd);
  return {
    items: items.withLevels(newer),
    beganAt: reading.beganAt,
    finishedAt,
    lastLookUp: lookedUp,
    lacking: new Map([...newer].filter(([id]) => !items.has(id))),
    gone: [...gone],
  };
}

interface Round {
  /** The whole shop, as it was read first. */
  readonly items: ReadItems;
  /** What was read since the whole shop was, by inventory item. */
  readonly newer: Map<string, StockLevel>;
  /** The session's inventory items that neither has, as Shopify has them no more. */
  readonly gone: Set<string>;
  readonly since: LookUp;
  readonly signal: AbortSignal;
}

/**
 * Shopify's search finds a change only after a while, so that what was counted is read by itself. Resolves to when that was
 * looked up: its levels are read after it.
 */
async function readAgain(
  { database, platform }: SessionServices,
  session: Session,
  { items, newer, gone, since, signal }: Round,
): Promise<LookUp> {
  for (const level of await changedSince(platform, session, signal))
    newer.set(level.inventoryItemId, asRead(level));
  const lookedUp = await beginLookUp(database);
  const counted = await itemsScannedSince(database, session.id, since);
  const unread = await itemsBut(database, session.id, (id) => items.has(id) || newer.has(id) || gone.has(id));
  const levels = await platform.liveLevels(session.shopifyLocationId, [...counted, ...unread], signal);
  for (const [id, level] of levels) {
    if (level !== null) newer.set(id, asRead(level));
    else if (!items.has(id) && !newer.has(id)) gone.add(id);
  }
  return lookedUp;
}

/** As the snapshots have it: what is not stocked has nothing on hand, whatever its inactive level keeps. */
function asRead({ tracked, stocked, ...level }: LiveLevel): StockLevel {
  const { onHand, available, levelUpdatedAt } = stocked ? level : unstocked;
  return { tracked, stocked, onHand, available, levelUpdatedAt };
}

const unstocked = { onHand: 0, available: 0, levelUpdatedAt: null };

async function beginLookUp(database: Database): Promise<LookUp> {
  const { rows } = await sql<LookUp>`
    select clock_timestamp() as at, pg_snapshot_xmin(pg_current_snapshot())::xid::text as oldest_open`.execute(
    database,
  );
  const [row] = rows;
  if (row === undefined) throw new Error("The database did not say which transactions are open.");
  return row;
}

/** A scan is received when its transaction begins: none takes so long to be stored. */
const longestStoringMs = 5 * 60_000;

/**
 * The condition that a row of `scans` was received since a look-up, or was still being stored then. Where the clock was set the
 * order of transactions alone tells.
 */
function storedSince(sessionId: string, { at, oldestOpen }: LookUp): RawBuilder<boolean> {
  return sql<boolean>`(scans.received_at >= (
      select case when clock_set_at is null then ${at}::timestamptz - ${milliseconds(longestStoringMs)} else '-infinity' end
      from sessions where id = ${sessionId})
    and (scans.received_at >= ${at} or age(scans.xmin) <= age(${oldestOpen}::text::xid)))`;
}

async function itemsScannedSince(database: Database, sessionId: string, since: LookUp): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct item.inventory_item_id as id from scans
    join session_items item on item.session_id = scans.session_id and item.sku = scans.sku
    where scans.session_id = ${sessionId} and ${storedSince(sessionId, since)}`.execute(database);
  return rows.map(({ id }) => id);
}

/** A large session's items are not held all at once. */
const itemsAtOnce = 5_000;

/** The inventory items of a session but those that are known. */
async function itemsBut(
  database: Database,
  sessionId: string,
  isKnown: (id: string) => boolean,
): Promise<string[]> {
  const ofSession = sql<{ id: string }>`
    select inventory_item_id as id from session_items where session_id = ${sessionId}::uuid`;
  return database.transaction().execute(async (transaction) => {
    const unknown: string[] = [];
    for await (const rows of readByCursor(transaction, ofSession, itemsAtOnce)) {
      for (const { id } of rows) if (!isKnown(id)) unknown.push(id);
    }
    return unknown;
  });
}

/**
 * Marks what was counted since it was last looked up: until Shopify was asked once more it is not known whether it moved
 * meanwhile. So are the SKUs of which nothing was read. The caller has closed every area, so that nothing more is counted.
 */
export async function markUnchecked(
  transaction: Transaction,
  sessionId: string,
  { lastLookUp }: EndReading,
  unread: readonly string[],
): Promise<void> {
  await sql`
    insert into uncertain_figures (session_id, sku, reason)
    select session_id, sku, 'MOVED_DURING_END' from scans
    where session_id = ${sessionId} and status = 'counted' and sku is not null and ${storedSince(sessionId, lastLookUp)}
    union
    select ${sessionId}::uuid, sku, 'MOVED_DURING_END' from unnest(${unread}::text[]) sku
    on conflict do nothing`.execute(transaction);
}

/** Whoever ends a session waits for it, and may wait in vain. */
const lookAgainMs = 60_000;

/**
 * Asks Shopify of what is marked whether it has moved since it was read, and takes the mark from what has not. Where
 * Shopify does not answer, or not in time, the marks stay, and an administrator decides.
 */
export async function clearUnmoved(
  { database, platform, events }: Pick<SessionServices, "database" | "platform" | "events">,
  session: Session,
  stopped: AbortSignal,
): Promise<void> {
  const marked = await database
    .selectFrom("uncertainFigures as figure")
    .innerJoin("sessionItems as item", (join) =>
      join.onRef("item.sessionId", "=", "figure.sessionId").onRef("item.sku", "=", "figure.sku"),
    )
    .select(["item.sku", "item.inventoryItemId", "item.gone", "item.endOnHand", "item.endLevelUpdatedAt"])
    .where("figure.sessionId", "=", session.id)
    .where("figure.reason", "=", "MOVED_DURING_END")
    .execute();
  if (marked.length === 0) return;
  const ids = marked.map(({ inventoryItemId }) => inventoryItemId);
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(lookAgainMs)]);
  const levels = await liveLevels(platform, session, ids, signal);
  const unmoved = marked.filter((item) => isItemAsAtEnd(item, levels.get(item.inventoryItemId)));
  if (unmoved.length === 0) return;
  await database
    .deleteFrom("uncertainFigures")
    .where("sessionId", "=", session.id)
    .where("reason", "=", "MOVED_DURING_END")
    .where("sku", "=", sql<string>`any(${unmoved.map(({ sku }) => sku)}::text[])`)
    .execute();
  events.publish({ type: "adjustment", sessionId: session.id });
}

type Levels = ReadonlyMap<string, LiveLevel | null>;

async function liveLevels(
  platform: SessionServices["platform"],
  { shopifyLocationId }: Session,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Levels> {
  try {
    return await platform.liveLevels(shopifyLocationId, ids, signal);
  } catch (error) {
    if (signal.aborted || isPlatformError(error)) return new Map();
    throw error;
  }
}

/** An item's stock as the end reading found it. */
export interface EndStock {
  readonly endOnHand: number | null;
  readonly endLevelUpdatedAt: Date | null;
}

/** Whether nothing has happened to a level since the end reading; a level that could not be read may be any. */
export function isAsAtEnd(
  { endOnHand, endLevelUpdatedAt }: EndStock,
  level: LiveLevel | null | undefined,
): boolean {
  if (level === null || level === undefined) return false;
  const { onHand, levelUpdatedAt } = level.stocked ? level : unstocked;
  const updatedAt = levelUpdatedAt === null ? null : Date.parse(levelUpdatedAt);
  return onHand === endOnHand && updatedAt === (endLevelUpdatedAt?.getTime() ?? null);
}

/** The same of an item that may have been gone by then, and still is: null says that it is gone now. */
export function isItemAsAtEnd(
  item: EndStock & { readonly gone: boolean },
  level: LiveLevel | null | undefined,
): boolean {
  return level === null ? item.gone : isAsAtEnd(item, level);
}
