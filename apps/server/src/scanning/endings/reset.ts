import { type Area, type CallRequest, resetArea } from "@stocktake/contract";
import { readArea } from "../../areas/areas.ts";
import { actorOf, areaName, recordAudit } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import type { Caller, Person } from "../../kernel/caller.ts";
import { beginNextPass, restartAttempt, skipExpectedPass } from "../../passes/passes.ts";
import { type LockedArea, lockArea, requireCounting, resetOfOthersArea } from "../area-queries.ts";
import { refusalOfOthers } from "../assigned-area-queries.ts";
import { performOnce } from "../devices/perform-once.ts";
import type { ScanningServices } from "../services.ts";
import { madeBy, makerOf } from "./maker.ts";

type ResetRequest = CallRequest<typeof resetArea>["body"];

interface Reset {
  readonly area: Area;
  readonly deletedScans: number;
}

/** Starts an area again from zero. Begins the next pass even where nothing was scanned: a device may hold scans of it. */
export function reset(context: ScanningServices, caller: Caller, request: ResetRequest): Promise<Reset> {
  const { sessionId, opId, areaCode, locationId, pass = null } = request;
  // Who made it is no part of what is asked for: of a device that is updated meanwhile only the repeat may say it.
  const asked = { areaCode: areaCode.toLowerCase(), locationId, pass };
  const parseAnswer = resetArea.answer.parse;
  const operation = { kind: "reset", sessionId, opId, request: asked, parseAnswer } as const;
  return performOnce(context, caller, operation, async (transaction, session) => {
    const maker = await makerOf(transaction, caller, request);
    const before = await lockArea(transaction, caller, session, { ...request, maker, beginsAnew: true });
    const refusal = await refusalBesideOthers(transaction, maker, before);
    if (refusal !== null) {
      await skipExpectedPass(transaction, before);
      return { refusal, changed: null };
    }
    requireCounting(before, request.pass);
    const { storeId, areaId } = before;
    const ended = { endedAs: "reset", endedBy: maker.userId } as const;
    const { attempt } = before;
    const next = await (attempt === null
      ? beginNextPass(transaction, before, ended)
      : restartAttempt(transaction, attempt, ended));
    const area = asCounted(await readArea(transaction, caller, areaId), next);
    await recordAudit(transaction, {
      sessionId,
      actor: actorOf(caller),
      action: "area.reset",
      subject: { kind: "area", id: areaId, name: areaName(area) },
      before: { status: before.status, pass: before.pass },
      after: {
        status: next.status,
        pass: next.pass,
        voidedScans: next.voidedScans,
        ...madeBy(caller, maker),
      },
    });
    return {
      answer: { area, deletedScans: next.voidedScans },
      changed: { type: "area", sessionId, storeId, areaId, pass: next.pass },
    };
  });
}

/**
 * Before it is asked whether the area is still in that pass: a device that hears only that its count is over has gone on in the pass which
 * the others have begun meanwhile, and what it has would count beside theirs.
 */
function refusalBesideOthers(transaction: Transaction, maker: Person, area: LockedArea) {
  if (area.attempt !== null || area.sessionIsOver || area.status === "closed") return null;
  return refusalOfOthers(transaction, maker, area, resetOfOthersArea);
}

/**
 * The area as what was reset. A second count whose device is signed in on by somebody else, or by an administrator, is not the area's
 * count to the caller; the device goes on in its pass all the same.
 */
function asCounted(area: Area, { pass, status }: Pick<Area, "pass" | "status">): Area {
  if (area.pass === pass) return area;
  return { ...area, pass, status, closedBy: null, closedAt: null, recount: null };
}
