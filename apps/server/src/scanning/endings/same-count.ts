import type { CallRequest, finishArea } from "@stocktake/contract";
import { sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import { countText } from "../../kernel/texts.ts";
import { isOfPass, totalOf } from "../../passes/passes.ts";
import type { LockedArea } from "../area-queries.ts";
import { ofPaper } from "../storing/incoming-scan.ts";

type Declared = Pick<
  CallRequest<typeof finishArea>["body"],
  "declaredTotal" | "deviceId" | "knownAccepted" | "tagsUnheard"
>;

/**
 * Refuses a total that does not match and says nothing about the count, because the person has not seen what changed it: scans that an
 * administrator accepted into the pass or took back since, or that other readers had read the device's tags. So is one that is right
 * without what an administrator entered from paper or a file: nobody's count is voided for it. @throws ApiError COUNT_CHANGED.
 */
export async function requireSameCount(
  transaction: Transaction,
  area: LockedArea,
  { declaredTotal, deviceId, knownAccepted, tagsUnheard }: Declared,
): Promise<void> {
  if (area.attempt !== null) return;
  const total = await totalOf(transaction, area);
  if (declaredTotal === total) return;
  if (knownAccepted !== undefined) {
    const { accepted, fromPaper } = await enteredIn(transaction, area);
    if (accepted !== knownAccepted) throw countChanged(acceptedSentence(accepted));
    if (fromPaper > 0 && declaredTotal + fromPaper === total) throw countChanged(paperSentence(fromPaper));
  }
  if (tagsUnheard !== true || !(await hasRepeatedReads(transaction, area, deviceId))) return;
  throw countChanged("Some of these tags had been read before, by another reader or in another area.");
}

function countChanged(why: string): ApiError {
  return new ApiError("COUNT_CHANGED", `${why} Nothing was submitted: finish the area again.`);
}

/** The units of the pass that an administrator accepted, and those that came from paper or a file. */
async function enteredIn(
  transaction: Transaction,
  area: LockedArea,
): Promise<{ readonly accepted: number; readonly fromPaper: number }> {
  return transaction
    .selectFrom("scans")
    .select([
      sql<number>`coalesce(sum(quantity) filter (where resolved_by is not null), 0)`.as("accepted"),
      sql<number>`coalesce(sum(quantity) filter (where resolved_by is null and ${ofPaper}), 0)`.as(
        "fromPaper",
      ),
    ])
    .where(isOfPass(area))
    .where("status", "=", "counted")
    .executeTakeFirstOrThrow();
}

/** Whether reads of RFID tags of the device in the pass count nothing, because other reads do. */
async function hasRepeatedReads(
  transaction: Transaction,
  area: LockedArea,
  deviceId: string,
): Promise<boolean> {
  const read = await transaction
    .selectFrom("scans")
    .select("id")
    .where(isOfPass(area))
    .where("deviceId", "=", deviceId)
    .where("tag", "is not", null)
    .where("reason", "in", ["TAG_COUNTED", "TAG_ELSEWHERE"])
    .limit(1)
    .executeTakeFirst();
  return read !== undefined;
}

function paperSentence(units: number): string {
  const are = units === 1 ? "is" : "are";
  return `${countText(units, "item", "items")} that the administrator entered from paper or a file ${are} counted here too. Add what you did not count yourself to your total; if you counted the same items, tell the administrator first.`;
}

function acceptedSentence(accepted: number): string {
  if (accepted === 0) return "Scans that an administrator accepted here no longer count.";
  return `An administrator accepted ${countText(accepted, "item", "items")} for this area meanwhile.`;
}
