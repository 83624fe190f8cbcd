import type {
  CallAnswer,
  previewRelease as previewReleaseCall,
  ReleasePreviewRow,
} from "@stocktake/contract";
import type { AdminCaller } from "../../kernel/caller.ts";
import { findSession, type SessionRow } from "../../sessions/sessions.ts";
import { PlatformUnavailableError, rowsPerCall } from "../../shopify/shopify.ts";
import { requireSameShop } from "../planning/shop-check.ts";
import type { AdjustmentServices } from "../services.ts";
import { readKnownStock } from "./known-stock-queries.ts";
import { shopTimeOfBackup } from "./moved-since.ts";
import { previewRow, summarisePreview } from "./preview-rows.ts";
import { type Question, readQuestion } from "./question.ts";
import { readUnknownTime, type UnknownTime } from "./restored-queries.ts";

/** A call may take 25 seconds; what is not read of Shopify by then is left out and `checked` counts the rest. */
const previewWithinMs = 18_000;

/**
 * What of a restored session looks as if it had been moved since its backup. Changes nothing.
 * @param signal ends the reading; what was read by then is returned. After `previewWithinMs` unless told.
 * @throws ApiError NOT_FOUND, SESSION_RELEASED, SHOP_CHANGED; PlatformUnavailableError or PlatformRejectedError where
 * Shopify gives no answer
 */
export async function previewRelease(
  context: AdjustmentServices,
  caller: AdminCaller,
  sessionId: string,
  signal: AbortSignal = AbortSignal.timeout(previewWithinMs),
): Promise<CallAnswer<typeof previewReleaseCall>> {
  const { database, clock } = context;
  const session = await findSession(database, caller, sessionId);
  const time = await readUnknownTime(database, session);
  const question = await readQuestion(database, session, time.restoredAt);
  const read = await readRows(context, session, { question, time, signal });
  return {
    backupMadeAt: time.backupMadeAt.toISOString(),
    restoredAt: time.restoredAt.toISOString(),
    question: question.kind,
    ...summarisePreview(question.rows, read),
    readAt: new Date(clock.now()).toISOString(),
  };
}

interface PreviewOptions {
  readonly question: Question;
  readonly time: UnknownTime;
  readonly signal: AbortSignal;
}

async function readRows(
  { database, platform, shopTime }: AdjustmentServices,
  session: SessionRow,
  { question, time, signal }: PreviewOptions,
): Promise<ReleasePreviewRow[]> {
  if (question.rows.length === 0) return [];
  const known = await readKnownStock(database, session, question, time.restoredAt);
  const read: ReleasePreviewRow[] = [];
  try {
    await requireSameShop(platform, session, signal);
    for (let begin = 0; begin < question.rows.length; begin += rowsPerCall) {
      const part = question.rows.slice(begin, begin + rowsPerCall);
      const items = part.map(({ inventoryItemId }) => inventoryItemId);
      const levels = await platform.liveLevels(session.shopifyLocationId, items, signal);
      // Shopify has answered by now, so that its clock is known beside ours.
      const madeByShop = shopTimeOfBackup(shopTime, time);
      for (const row of part) {
        const stock = known.get(row.sku);
        const level = levels.get(row.inventoryItemId) ?? null;
        if (stock !== undefined) read.push(previewRow(row, stock, level, madeByShop));
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    if (read.length === 0) throw new PlatformUnavailableError("timeout", "no stock was read in time");
  }
  return read;
}
