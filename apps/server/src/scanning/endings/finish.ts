import { type CallRequest, finishArea } from "@stocktake/contract";
import { type Selectable, sql } from "kysely";
import { actorOf, areaSubject, recordAudit } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import type { AreaPassesTable } from "../../database/tables.ts";
import { ApiError } from "../../kernel/api-error.ts";
import type { Caller } from "../../kernel/caller.ts";
import { countText } from "../../kernel/texts.ts";
import { finishPass, isOfPass, totalOf } from "../../passes/passes.ts";
import { type LockedArea, lockArea, requireCounting } from "../area-queries.ts";
import { performOnce } from "../devices/perform-once.ts";
import type { ScanningServices } from "../services.ts";

type FinishRequest = CallRequest<typeof finishArea>["body"];

interface Finished {
  readonly matched: boolean;
  readonly serverTotal: number;
}

/**
 * Compares what a device declares with what all devices counted in the area's pass: equal closes the area, unequal
 * voids the pass, because the area is then counted again from zero.
 */
export function finish(context: ScanningServices, caller: Caller, request: FinishRequest): Promise<Finished> {
  const { sessionId, opId, areaCode, locationId, deviceId, declaredTotal, pass = null } = request;
  // `knownAccepted` is no part of what is asked for: a repeat under the same id says the same.
  const asked = { areaCode: areaCode.toLowerCase(), locationId, deviceId, declaredTotal, pass };
  const parseAnswer = finishArea.answer.parse;
  const operation = { kind: "finish", sessionId, opId, request: asked, parseAnswer } as const;
  return performOnce(context, caller, operation, async (transaction, session) => {
    const area = await lockArea(transaction, caller, session, request);
    const earlier = await findEarlierFinish(transaction, area, request);
    if (earlier !== null) return { answer: earlier, changed: null };
    requireCounting(area, request.pass);
    await requireSameAccepted(transaction, area, request);
    const declaration = { deviceId, declaredTotal, endedBy: caller.userId };
    const { matched, serverTotal, ...after } = await finishPass(transaction, area, declaration);
    const { storeId, areaId } = area;
    await recordAudit(transaction, {
      sessionId,
      actor: actorOf(caller),
      action: "area.finished",
      subject: await areaSubject(transaction, areaId),
      before: { status: area.status, pass: area.pass },
      after: { status: after.status, pass: after.pass, matched, declaredTotal, serverTotal, deviceId },
    });
    return {
      answer: { matched, serverTotal },
      changed: { type: "area", sessionId, storeId, areaId, pass: after.pass },
    };
  });
}

/**
 * Refuses a total that does not match and that was declared before an administrator accepted scans into the pass, or
 * before such a scan was taken back: the person has not seen them, so it says nothing about the count.
 */
async function requireSameAccepted(
  transaction: Transaction,
  area: LockedArea,
  { declaredTotal, knownAccepted }: FinishRequest,
): Promise<void> {
  if (knownAccepted === undefined || declaredTotal === (await totalOf(transaction, area))) return;
  const accepted = await acceptedIn(transaction, area);
  if (accepted === knownAccepted) return;
  throw new ApiError(
    "COUNT_CHANGED",
    `${acceptedSentence(accepted)} Nothing was submitted: finish the area again.`,
  );
}

async function acceptedIn(transaction: Transaction, area: LockedArea): Promise<number> {
  const { accepted } = await transaction
    .selectFrom("scans")
    .select(sql<number>`coalesce(sum(quantity), 0)`.as("accepted"))
    .where(isOfPass(area))
    .where("status", "=", "counted")
    .where("resolvedBy", "is not", null)
    .executeTakeFirstOrThrow();
  return accepted;
}

function acceptedSentence(accepted: number): string {
  if (accepted === 0) return "Scans that an administrator accepted here no longer count.";
  return `An administrator accepted ${countText(accepted, "item", "items")} for this area meanwhile.`;
}

/**
 * The answer that the same finish got before (docs/API.md, "Areas and finishing"): same session, area, pass, device and
 * declared total. A device that names no pass means the current one; where nothing was scanned since the same finish
 * did not match, it asks again after a lost answer rather than for a second recount.
 */
async function findEarlierFinish(
  transaction: Transaction,
  area: LockedArea,
  { pass, deviceId, declaredTotal }: FinishRequest,
): Promise<Finished | null> {
  const passes = await transaction
    .selectFrom("areaPasses")
    .selectAll()
    .where("sessionId", "=", area.sessionId)
    .where("areaId", "=", area.areaId)
    .$if(pass !== undefined, (query) => query.where("pass", "=", pass ?? 0))
    .orderBy("pass", "desc")
    .limit(pass === undefined ? 2 : 1)
    .execute();
  const isSame = (row: Selectable<AreaPassesTable> | undefined) =>
    row !== undefined && row.finishedByDevice === deviceId && row.declaredTotal === declaredTotal;
  const [newest, before] = passes;
  if (newest !== undefined && isSame(newest)) return finishedAs(newest);
  if (newest === undefined || before?.endedAs !== "mismatched" || !isSame(before)) return null;
  return (await hasScans(transaction, newest)) ? null : finishedAs(before);
}

function finishedAs({ declaredTotal, serverTotal }: Selectable<AreaPassesTable>): Finished {
  return { matched: declaredTotal === serverTotal, serverTotal: serverTotal ?? 0 };
}

async function hasScans(
  transaction: Transaction,
  { sessionId, areaId, pass }: Selectable<AreaPassesTable>,
): Promise<boolean> {
  const scan = await transaction
    .selectFrom("scans")
    .select("id")
    .where("areaId", "=", areaId)
    .where("sessionId", "=", sessionId)
    .where("pass", "=", pass)
    .limit(1)
    .executeTakeFirst();
  return scan !== undefined;
}
