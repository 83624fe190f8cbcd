import { ApiError } from "../../kernel/api-error.ts";
import { clocksDifferByMs, type EndStock, type SessionRow } from "../../sessions/sessions.ts";
import type { ChangedLevel, LiveLevel, ShopTime } from "../../shopify/shopify.ts";
import { requireSameShop } from "../planning/shop-check.ts";
import type { AdjustmentServices } from "../services.ts";
import { showsAsAtEnd, untouchedSince } from "./preview-rows.ts";
import type { Question } from "./question.ts";
import { readSessionItems, type UnknownTime } from "./restored-queries.ts";

/** What Shopify says at a release. */
export interface Looked {
  /** The session's items whose stock has moved since the backup, perhaps by a deploy that is not known here. */
  readonly moved: readonly string[];
  /** The level of every item in question; null where it no longer exists. */
  readonly levels: ReadonlyMap<string, LiveLevel | null>;
  /** What Shopify's clock showed when the backup was made. */
  readonly backupMadeAt: Date;
}

/** Shopify's search may lag by so much, so that it does not find what was moved just before the restore. */
const searchLagMs = 2 * 60_000;
/** A call may take 25 seconds. */
const lookWithinMs = 18_000;

/**
 * Looks what has moved since the backup, whether it is in question or not. Soon after the restore every item is read by
 * itself. Where Stocktake is connected to another shop than the session's, or the look takes too long, as of a large session
 * in a small shop's budget, any of its items may have moved.
 * @throws PlatformUnavailableError or PlatformRejectedError where Shopify gives no answer
 */
export async function lookSince(
  context: AdjustmentServices,
  session: SessionRow,
  { question, time }: { readonly question: Question; readonly time: UnknownTime },
): Promise<Looked> {
  const signal = AbortSignal.timeout(lookWithinMs);
  const items = await readSessionItems(context.database, session.id);
  const all = [...items.keys()];
  try {
    await requireSameShop(context.platform, session, signal);
    const isSoon = context.clock.now() - time.restoredAt.getTime() < searchLagMs;
    const asked = isSoon ? all : question.rows.map(({ inventoryItemId }) => inventoryItemId);
    const levels = await context.platform.liveLevels(session.shopifyLocationId, asked, signal);
    // Shopify has answered by now, so that its clock is known beside ours.
    const backupMadeAt = shopTimeOfBackup(context.shopTime, time);
    const now = new Map([...(await readChanged(context, session, backupMadeAt, signal)), ...levels]);
    const hasMoved = (id: string) => hasMovedSince(backupMadeAt, items.get(id), now.get(id) ?? null);
    return { moved: all.filter(hasMoved), levels, backupMadeAt };
  } catch (error) {
    const isOtherShop = error instanceof ApiError && error.code === "SHOP_CHANGED";
    if (isOtherShop || signal.aborted) {
      return { moved: all, levels: new Map(), backupMadeAt: time.backupMadeAt };
    }
    throw error;
  }
}

/**
 * The earlier of what this server's clock says beside Shopify's, and what the session's last reading before the backup says: the
 * clock of the server that is lost may have been set otherwise.
 */
export function shopTimeOfBackup(shopTime: ShopTime, time: UnknownTime): Date {
  const madeAt = time.backupMadeAt.getTime();
  const byThisClock = shopTime.byShopClock(madeAt)?.earliest ?? madeAt;
  return new Date(Math.min(byThisClock, time.backupShopTime?.getTime() ?? byThisClock));
}

async function readChanged(
  { platform }: AdjustmentServices,
  { shopifyLocationId }: SessionRow,
  backupMadeAt: Date,
  signal: AbortSignal,
): Promise<Map<string, ChangedLevel>> {
  const since = new Date(backupMadeAt.getTime() - clocksDifferByMs);
  const found = new Map<string, ChangedLevel>();
  for await (const levels of platform.changedLevels(shopifyLocationId, since, signal)) {
    for (const level of levels) found.set(level.inventoryItemId, level);
  }
  return found;
}

/** A level that shows itself just as the end found it has not moved, whatever the clocks say; nor has one that never was. */
function hasMovedSince(
  backupMadeAt: Date,
  end: EndStock | undefined,
  level: (LiveLevel & Partial<Pick<ChangedLevel, "updatedAt">>) | null,
): boolean {
  if (level === null || (end !== undefined && showsAsAtEnd(end, level))) return false;
  const { availableUpdatedAt, levelUpdatedAt, updatedAt = null } = level;
  const at = availableUpdatedAt ?? levelUpdatedAt ?? updatedAt;
  return at !== null && !untouchedSince({ ...level, availableUpdatedAt: at }, backupMadeAt);
}
