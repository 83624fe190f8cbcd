import { limits } from "@stocktake/contract";
import { recordAudit, serverActor } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import { beginAttempt, isOfCompared, type Pass } from "../../passes/passes.ts";
import type { ScanningServices } from "../services.ts";
import { askedEntry } from "./asked-entry.ts";

/** A closed area in which SKUs beyond tolerance were counted, as it was judged. */
export interface AreaBeyond extends Pass {
  readonly storeId: string;
  /** In their order. */
  readonly skus: readonly string[];
}

/**
 * Has SKUs beyond tolerance counted a second time in an area: those that no second count of its pass was of before, by whomever and
 * whatever became of it. More than a list may have are asked for as the whole area. Nothing is asked for where the area has changed
 * since it was judged, its session no longer counts, or a second count is open there, also by another node: what is left is for the
 * next time the session is judged.
 */
export async function askByTolerance(
  { database, events }: Pick<ScanningServices, "database" | "events">,
  area: AreaBeyond,
): Promise<void> {
  const asked = await database.transaction().execute(async (transaction) => {
    if (!(await holdClosed(transaction, area))) return false;
    const skus = await skusToAsk(transaction, area);
    if (skus.length > 0) await askOf(transaction, area, skus);
    return skus.length > 0;
  });
  const { sessionId, storeId } = area;
  if (asked) events.publish({ type: "area", sessionId, storeId });
}

/** Holds the session against its end, and the area. Returns whether the area is closed as it was judged. */
async function holdClosed(
  transaction: Transaction,
  { sessionId, areaId, pass }: AreaBeyond,
): Promise<boolean> {
  const session = await transaction
    .selectFrom("sessions")
    .select("id")
    .where("id", "=", sessionId)
    .where("status", "=", "active")
    .forShare()
    .executeTakeFirst();
  if (session === undefined) return false;
  const area = await transaction
    .selectFrom("areas")
    .select(["pass", "status"])
    .where("id", "=", areaId)
    .where("deletedAt", "is", null)
    .forUpdate()
    .executeTakeFirst();
  return area?.status === "closed" && area.pass === pass;
}

/** Those that can be asked for in an area by now. One second count is open in an area at a time. */
async function skusToAsk(
  transaction: Transaction,
  { sessionId, areaId, pass, skus }: AreaBeyond,
): Promise<readonly string[]> {
  const attempts = await transaction
    .selectFrom("secondCounts")
    .select(["onlySkus", "endedAs"])
    .where(isOfCompared({ sessionId, areaId, ofPass: pass }))
    .execute();
  if (attempts.some(({ onlySkus, endedAs }) => onlySkus === null || endedAs === null)) return [];
  const before = new Set(attempts.flatMap(({ onlySkus }) => onlySkus ?? []));
  return skus.filter((sku) => !before.has(sku));
}

async function askOf(
  transaction: Transaction,
  { sessionId, areaId, pass: ofPass }: AreaBeyond,
  skus: readonly string[],
): Promise<void> {
  const onlySkus = skus.length > limits.skusToCountAgain ? null : skus;
  const beginning = { sessionId, areaId, ofPass, round: 2, onlySkus, askedBy: null } as const;
  const pass = await beginAttempt(transaction, { ...beginning, origin: "tolerance", status: "not_started" });
  const entry = await askedEntry(transaction, serverActor, { ...beginning, pass });
  const named = onlySkus === null ? { skus: skus.slice(0, limits.groupedNames) } : {};
  const after = { ...entry.after, beyondTolerance: skus.length, ...named };
  await recordAudit(transaction, { ...entry, after });
}
