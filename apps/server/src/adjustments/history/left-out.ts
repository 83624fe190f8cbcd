import { groupBy, type LeftOutOfDeploy, SkipReason } from "@stocktake/contract";
import * as z from "zod/mini";
import type { Database } from "../../database/pool.ts";
import { findActiveAdjustment } from "../queries.ts";

const Reasons = z._default(z.record(z.string(), z.unknown()), {});
/** What the audit log has of what a deploy left out; entries of old name no SKUs. */
const LeftOutFacts = z.object({ skipped: Reasons, skippedSkus: Reasons });
const Count = z.int();
const Skus = z._default(z.array(z.string()), []);

/** What each of a session's deploys was never to move, as it was when it was asked for: the report itself goes on changing. */
export async function readLeftOut(
  reader: Database,
  sessionId: string,
  adjustmentIds: readonly string[],
): Promise<ReadonlyMap<string, readonly LeftOutOfDeploy[]>> {
  if (adjustmentIds.length === 0) return new Map();
  const entries = await reader
    .selectFrom("auditEntries")
    .select(["subjectId", "after"])
    .where("chain", "=", sessionId)
    .where("action", "=", "deploy.requested")
    .where("subjectId", "in", adjustmentIds)
    .execute();
  const byAdjustment = groupBy(entries, ({ subjectId }) => subjectId ?? "");
  return new Map(
    Array.from(byAdjustment, ([id, [first]]) => [id, leftOutOf(z.parse(LeftOutFacts, first?.after ?? {}))]),
  );
}

function leftOutOf({ skipped, skippedSkus }: z.infer<typeof LeftOutFacts>): LeftOutOfDeploy[] {
  return SkipReason.options.flatMap((reason) => {
    const count = z.safeParse(Count, skipped[reason]);
    return count.success ? [{ reason, count: count.data, skus: z.parse(Skus, skippedSkus[reason]) }] : [];
  });
}

/** Why the deploy by which the report is deployed left a SKU out, as Shopify was then; null where that is not known, as of the last of very many. */
export async function readReasonThen(
  reader: Database,
  sessionId: string,
  sku: string,
): Promise<SkipReason | null> {
  const deploy = await findActiveAdjustment(reader, sessionId);
  if (deploy === undefined) return null;
  const groups = (await readLeftOut(reader, sessionId, [deploy.id])).get(deploy.id) ?? [];
  return groups.find(({ skus }) => skus.includes(sku))?.reason ?? null;
}
