import type { CountSheet } from "@stocktake/contract";
import { sql } from "kysely";
import { actorOf, areaName, recordAudit, sessionSubject } from "../../audit/audit.ts";
import { ApiError } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import type { ScanningServices } from "../../scanning/scanning.ts";
import { findSheet, lockSheetState, presentSheet } from "./sheet-queries.ts";

interface Voiding {
  readonly id: string;
  readonly number: number;
  readonly reason: string;
}

/**
 * Declares a sheet void that is out: it won't come back, or nobody is to count on it. It changes nothing that was counted.
 * @throws ApiError NOT_FOUND, SESSION_ARCHIVED, SHEET_OVER.
 */
export async function declareSheetVoid(
  { database, events }: ScanningServices,
  caller: AdminCaller,
  { id: sessionId, number, reason }: Voiding,
): Promise<CountSheet> {
  const { storeId, areaCode, areaName: name } = await findSheet(database, sessionId, number);
  await database.transaction().execute(async (transaction) => {
    const state = await lockSheetState(transaction, sessionId, number);
    if (state !== "out") throw notOut(number, state);
    await transaction
      .updateTable("countSheets")
      .set({ voidedAt: sql<Date>`now()`, voidedBy: caller.userId, voidReason: reason })
      .where("sessionId", "=", sessionId)
      .where("number", "=", number)
      .execute();
    await recordAudit(transaction, {
      sessionId,
      actor: actorOf(caller),
      action: "sheet.voided",
      subject: await sessionSubject(transaction, sessionId),
      before: { sheet: number, area: areaName({ code: areaCode, name }) },
      after: { reason },
    });
  });
  events.publish({ type: "area", sessionId, storeId });
  return presentSheet(await findSheet(database, sessionId, number));
}

function notOut(number: number, state: "returned" | "void"): ApiError {
  const text =
    state === "void"
      ? "is void already."
      : "was keyed, so that what is on it is counted. Correct its counts in the report, or have its area counted again.";
  return new ApiError("SHEET_OVER", `Count sheet ${number} ${text}`);
}
