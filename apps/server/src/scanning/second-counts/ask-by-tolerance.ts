import { limits } from "@stocktake/contract";
import { recordAudit, serverActor } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import { beginAttempt, isOfCompared, type Pass } from "../../passes/passes.ts";
import type { ScanningServices } from "../services.ts";
import { askedEntry } from "./asked-entry.ts";

/** A closed area in which SKUs beyond tolerance were counted, as it was judged. */
export interface AreaBeyond extends Pass {
  readonly storeId: string;
  readonly skus: readonly string[];
}

/**
 * Has an area counted a second time because of what was counted there. Nothing is asked for where the area has changed since it was
 * judged, its session no longer counts, or a second count of this pass was asked for before, by another node too.
 */
export async function askByTolerance(
  { database, events }: Pick<ScanningServices, "database" | "events">,
  area: AreaBeyond,
): Promise<void> {
  const asked = await database.transaction().execute(async (transaction) => {
    if (!(await holdUnasked(transaction, area))) return false;
    const { sessionId, areaId, pass: ofPass, skus } = area;
    const beginning = { sessionId, areaId, ofPass, round: 2, askedBy: null, origin: "tolerance" } as const;
    const pass = await beginAttempt(transaction, { ...beginning, status: "not_started" });
    const entry = await askedEntry(transaction, serverActor, { ...beginning, pass });
    const beyond = { beyondTolerance: skus.length, skus: skus.slice(0, limits.groupedNames) };
    await recordAudit(transaction, { ...entry, after: { ...entry.after, ...beyond } });
    return true;
  });
  const { sessionId, storeId, areaId } = area;
  if (asked) events.publish({ type: "area", sessionId, storeId, areaId });
}

async function holdUnasked(
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
  if (area?.status !== "closed" || area.pass !== pass) return false;
  const before = await transaction
    .selectFrom("secondCounts")
    .select("pass")
    .where(isOfCompared({ sessionId, areaId, ofPass: pass }))
    .executeTakeFirst();
  return before === undefined;
}
