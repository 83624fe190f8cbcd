import type { CallRequest, settleDifference } from "@stocktake/contract";
import { type Selectable, sql } from "kysely";
import { actorOf, productSubject, recordAudit } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import type { Tables } from "../../database/tables.ts";
import { ApiError, invalidField, notFound } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { countAs, isFirstWhatCounts, isOfCompared, openAttempt } from "../../passes/passes.ts";
import { LockedAreas } from "../exceptions/locked-area-queries.ts";
import { namesOfAreas } from "../exceptions/scan-queries.ts";
import { holdSession } from "../exceptions/session-queries.ts";
import type { ScanningServices } from "../services.ts";
import { markReplaced } from "./settle-closed.ts";

type Choice = CallRequest<typeof settleDifference>["body"];
interface Difference extends Selectable<Tables["comparedCounts"]> {
  /** What is chosen as the first count is what counts by now. */
  readonly firstReplaced: boolean;
}

/**
 * Settles by an administrator's choice what an area's counts of a SKU differ in: the chosen one's scans count from now on, in place
 * of the first's. While the session runs and after its end, until the report is deployed.
 * @throws ApiError NOT_FOUND, REPORT_DEPLOYED, SECOND_COUNT_OPEN, DIFFERENCE_SETTLED, VALIDATION for a count that was not made.
 */
export async function settleByChoice(
  { database, events }: ScanningServices,
  caller: AdminCaller,
  sessionId: string,
  { areaId, ofPass, sku, choice, reason }: Choice,
): Promise<void> {
  const compared = { sessionId, areaId, ofPass };
  const storeId = await database.transaction().execute(async (transaction) => {
    const session = await holdSession(transaction, sessionId);
    const areas = await LockedAreas.lock(transaction, session, [areaId]);
    const counting = areas.countingPass(areaId);
    if (counting === undefined) throw notFound("The area");
    if (counting !== ofPass) throw noDifference();
    const difference = await findDifference(transaction, { ...compared, sku });
    await requireOpen(transaction, difference, choice);
    await writeChoice(transaction, difference, { choice, reason, by: caller.userId });
    if (choice !== "first") {
      await countAs(transaction, compared, {
        round: choice === "second" ? 2 : 3,
        skus: [sku],
        by: caller.userId,
      });
      await markReplaced(transaction, compared, [sku]);
    }
    await record(transaction, caller, difference, { choice, reason });
    return session.storeId;
  });
  events.publish({ type: "scan", sessionId, storeId, areaId, pass: ofPass });
}

async function findDifference(
  transaction: Transaction,
  { sku, ...compared }: Pick<Difference, "sessionId" | "areaId" | "ofPass" | "sku">,
): Promise<Difference> {
  const found = await transaction
    .selectFrom("comparedCounts as compared")
    .selectAll()
    .select(isFirstWhatCounts.as("firstReplaced"))
    .where(isOfCompared(compared))
    .where("sku", "=", sku)
    .executeTakeFirst();
  if (found === undefined) throw noDifference();
  return found;
}

function noDifference(): ApiError {
  return new ApiError(
    "DIFFERENCE_SETTLED",
    "The counts that the area has now do not differ in this product. Reload the page to see what is left to choose.",
  );
}

async function requireOpen(
  transaction: Transaction,
  difference: Difference,
  choice: Choice["choice"],
): Promise<void> {
  if (difference.settledAs !== null) {
    throw new ApiError(
      "DIFFERENCE_SETTLED",
      "This difference is settled already. Reload the page to see how; the report's Adjust Count changes the figure since.",
    );
  }
  if (choice === "third" && difference.third === null) {
    throw invalidField("choice", "There is no third count of this product to choose.");
  }
  if ((await openAttempt(transaction, difference)) !== undefined) {
    throw new ApiError(
      "SECOND_COUNT_OPEN",
      "Somebody is to count this area a third time. Wait for that, or cancel it before you choose.",
    );
  }
}

async function writeChoice(
  transaction: Transaction,
  { sku, ...difference }: Difference,
  { choice, reason, by }: Pick<Choice, "choice" | "reason"> & { readonly by: string },
): Promise<void> {
  await transaction
    .updateTable("comparedCounts")
    .set({ settledAs: choice, settledBy: by, settledAt: sql<Date>`now()`, reason })
    .where(isOfCompared(difference))
    .where("sku", "=", sku)
    .execute();
}

async function record(
  transaction: Transaction,
  caller: AdminCaller,
  { sessionId, areaId, sku, first, second, third, firstReplaced }: Difference,
  { choice, reason }: Pick<Choice, "choice" | "reason">,
): Promise<void> {
  const names = await namesOfAreas(transaction, [areaId]);
  await recordAudit(transaction, {
    sessionId,
    actor: actorOf(caller),
    action: "second_count.settled",
    subject: await productSubject(transaction, sessionId, sku),
    before: {
      area: names.get(areaId) ?? "",
      first,
      second,
      third,
      ...(firstReplaced ? { firstReplaced } : {}),
    },
    after: { choice, reason },
  });
}
