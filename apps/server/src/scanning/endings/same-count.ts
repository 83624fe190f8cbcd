import type { CallRequest, finishArea } from "@stocktake/contract";
import { sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import { countText } from "../../kernel/formats.ts";
import { comparedUnits, isOfPass, totalOf } from "../../passes/passes.ts";
import type { LockedArea } from "../area-queries.ts";
import { ofPaper } from "../storing/incoming-scan.ts";

type Declared = Pick<
  CallRequest<typeof finishArea>["body"],
  "declaredTotal" | "deviceId" | "knownAccepted" | "tagsUnheard"
>;

/**
 * Refuses a total that does not match and says nothing about the count, because the person has not seen what changed it: scans that an
 * administrator accepted into the pass or took back since, or what became of the device's reads of tags. So is one that is right
 * without what an administrator entered from paper or a file: nobody's count is voided for it. Into a second count nothing is accepted
 * or entered. @throws ApiError COUNT_CHANGED.
 */
export async function requireSameCount(
  transaction: Transaction,
  area: LockedArea,
  { declaredTotal, deviceId, knownAccepted, tagsUnheard }: Declared,
): Promise<void> {
  const { attempt } = area;
  const asksEntered = attempt === null && knownAccepted !== undefined;
  if (!asksEntered && tagsUnheard !== true) return;
  const total = await (attempt === null ? totalOf(transaction, area) : comparedUnits(transaction, attempt));
  if (declaredTotal === total) return;
  if (asksEntered) {
    const { accepted, fromPaper } = await enteredIn(transaction, area);
    if (accepted !== knownAccepted) throw countChanged(acceptedSentence(accepted));
    if (fromPaper > 0 && declaredTotal + fromPaper === total) throw countChanged(paperSentence(fromPaper));
  }
  if (tagsUnheard === true && (await hasReadTags(transaction, area, deviceId))) throw tagsHeardSince();
}

/**
 * Refuses what a person says to have counted alone, where it is not what the server has of theirs and reads of tags had not been answered:
 * with others' totals it would be compared only once nobody can tell why the sum is wrong. @throws ApiError COUNT_CHANGED.
 */
export async function requireSameOwnCount(
  transaction: Transaction,
  area: LockedArea,
  { person, declaredTotal, deviceId, tagsUnheard }: Declared & { readonly person: string },
): Promise<void> {
  if (tagsUnheard !== true || !(await hasReadTags(transaction, area, deviceId))) return;
  if (declaredTotal !== (await countedBy(transaction, area, person))) throw tagsHeardSince();
}

async function countedBy(transaction: Transaction, area: LockedArea, person: string): Promise<number> {
  const { units } = await transaction
    .selectFrom("deviceWork")
    .select(sql<number>`coalesce(sum(counted), 0)::bigint`.as("units"))
    .where(isOfPass(area))
    .where("scannedBy", "=", person)
    .executeTakeFirstOrThrow();
  return units;
}

function tagsHeardSince(): ApiError {
  return countChanged(
    "Some of your RFID tags had not been sent when this total was given, and other devices may have read them before.",
  );
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

/** Whether the device has read RFID tags in the pass, whatever became of the reads: a total can be wrong by any of them. */
async function hasReadTags(transaction: Transaction, area: LockedArea, deviceId: string): Promise<boolean> {
  const read = await transaction
    .selectFrom("scans")
    .select("id")
    .where(isOfPass(area))
    .where("deviceId", "=", deviceId)
    .where("tag", "is not", null)
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
