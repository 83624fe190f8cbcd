import type { CallRequest, voidSample } from "@stocktake/contract";
import { sql } from "kysely";
import { lockAreas } from "../../areas/areas.ts";
import { actorOf, recordAudit, sessionSubject } from "../../audit/audit.ts";
import { ApiError, notFound } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { endAttempt, openAttempt } from "../../passes/passes.ts";
import { requireUnarchived } from "../../sessions/sessions.ts";
import type { ScanningServices } from "../services.ts";
import { findSample } from "./present-sample.ts";

/**
 * Declares a control sample void as a whole: its open counts end, and what it found until then remains to be seen.
 * @throws ApiError NOT_FOUND, SESSION_ARCHIVED, SAMPLE_OVER for one that is finished, void already or not there.
 */
export async function declareVoid(
  { database, events }: ScanningServices,
  caller: AdminCaller,
  sessionId: string,
  { number, reason }: CallRequest<typeof voidSample>["body"],
): Promise<void> {
  const storeId = await database.transaction().execute(async (transaction) => {
    const session = await transaction
      .selectFrom("sessions")
      .select("storeId")
      .where("id", "=", sessionId)
      .forShare()
      .executeTakeFirst();
    if (session === undefined) throw notFound("The session");
    await requireUnarchived(transaction, sessionId);
    await lockAreas(transaction, session.storeId);
    const sample = await findSample(transaction, sessionId, number);
    if (sample?.status !== "counting") throw over(number, sample?.status);
    await transaction
      .updateTable("controlSamples")
      .set({ voidedAt: sql<Date>`now()`, voidedBy: caller.userId, voidReason: reason })
      .where("sessionId", "=", sessionId)
      .where("number", "=", number)
      .execute();
    for (const { area } of sample.drawn) {
      const open = await openAttempt(transaction, { sessionId, areaId: area._id });
      if (open?.sample === number) await endAttempt(transaction, open, "cancelled", caller.userId);
    }
    const { counted, differing, drawn } = sample;
    await recordAudit(transaction, {
      sessionId,
      actor: actorOf(caller),
      action: "sample.voided",
      subject: await sessionSubject(transaction, sessionId),
      before: { number, drawn: drawn.length, counted, differing },
      after: { reason },
    });
    return session.storeId;
  });
  events.publish({ type: "area", sessionId, storeId });
}

function over(number: number, status: "finished" | "void" | undefined): ApiError {
  const text =
    status === undefined
      ? "has not been drawn"
      : status === "void"
        ? "is void already"
        : "is finished, so it stays in the report as it came out";
  return new ApiError("SAMPLE_OVER", `Control sample ${number} ${text}.`);
}
