import { type CallRequest, finishArea } from "@stocktake/contract";
import type { Selectable } from "kysely";
import { actorOf, areaSubject, recordAudits } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import type { AreaPassesTable } from "../../database/tables.ts";
import type { Caller } from "../../kernel/caller.ts";
import {
  finishAttempt,
  finishPass,
  hasCountedIn,
  isMadeBy,
  isOfPass,
  type Pass,
} from "../../passes/passes.ts";
import { type LockedArea, lockArea, requireCounting } from "../area-queries.ts";
import { requireAssigned } from "../assigned-area-queries.ts";
import { performOnce } from "../devices/perform-once.ts";
import { settleClosed } from "../second-counts/settle-closed.ts";
import type { ScanningServices } from "../services.ts";
import { type Maker, madeBy, makerOf } from "./maker.ts";
import { declareOwn } from "./own-total.ts";
import { requireSameCount, requireSameOwnCount } from "./same-count.ts";

type FinishRequest = CallRequest<typeof finishArea>["body"];

interface Finished {
  readonly matched: boolean;
  readonly serverTotal: number;
  readonly waitingFor?: string[] | undefined;
  readonly together?: { readonly declared: number; readonly people: number } | undefined;
}

/**
 * Compares what a device declares with what all devices counted in the area's pass: equal closes the area, unequal
 * voids the pass, because the area is then counted again from zero. A person's own total is kept until everybody who
 * counted in the pass has given theirs: then the sum is what is declared.
 */
export function finish(context: ScanningServices, caller: Caller, request: FinishRequest): Promise<Finished> {
  const { sessionId, opId, areaCode, locationId, deviceId, declaredTotal, pass = null } = request;
  const person = request.own === true ? (request.declaredById ?? caller.userId) : null;
  // `knownAccepted`, `tagsUnheard`, `declaredAt`, `timeUnknown` and `madeById` are no part of what is asked for: a repeat under the same id says the same.
  const asked = {
    ...{ areaCode: areaCode.toLowerCase(), locationId, deviceId, declaredTotal, pass },
    ...(person === null ? {} : { ownOf: person }),
  };
  const parseAnswer = finishArea.answer.parse;
  const operation = { kind: "finish", sessionId, opId, request: asked, parseAnswer } as const;
  return performOnce(context, caller, operation, async (transaction, session) => {
    const maker = await makerOf(transaction, caller, request);
    const area = await lockArea(transaction, caller, session, { ...request, maker });
    const earlier = await findEarlierFinish(transaction, caller, area, request);
    if (earlier !== null) return { answer: earlier, changed: null };
    requireCounting(area, request.pass);
    if (area.attempt === null) await requireAssigned(transaction, maker, area);
    const { storeId, areaId } = area;
    const changed = { type: "area", sessionId, storeId, areaId } as const;
    if (person !== null) await requireSameOwnCount(transaction, area, { ...request, person });
    const own = person === null ? null : await declareOwn(transaction, caller, area, { ...request, person });
    if (own !== null && own.missing.length > 0) {
      const answer = { matched: false, serverTotal: 0, waitingFor: [...own.missing] };
      return { answer, changed: { ...changed, pass: area.pass } };
    }
    const declared = { ...request, declaredTotal: own?.sum ?? declaredTotal };
    const { pass: newPass, ...compared } = await compare(transaction, { caller, maker }, area, declared);
    const isOfOwn = own !== null && !compared.matched;
    const together = isOfOwn ? { together: { declared: own.sum, people: own.people } } : {};
    return { answer: { ...compared, ...together }, changed: { ...changed, pass: newPass } };
  });
}

/** A time that can't be, by which the report takes it that nobody knows when the area was counted, and not that it was when the total came. */
const nobodyKnows = new Date(0);

function whenDeclared({ declaredAt, timeUnknown }: FinishRequest): Date | null {
  if (timeUnknown === true) return nobodyKnows;
  return declaredAt === undefined ? null : new Date(declaredAt);
}

/** Ends the pass by the total that is declared of it. */
async function compare(
  transaction: Transaction,
  { caller, maker }: { readonly caller: Caller; readonly maker: Maker },
  area: LockedArea,
  request: FinishRequest,
): Promise<Finished & { readonly pass: number }> {
  await requireSameCount(transaction, area, request);
  const { deviceId, declaredTotal, sessionId } = request;
  const declaredAt = whenDeclared(request);
  const declaration = { deviceId, declaredTotal, declaredAt, endedBy: maker.userId };
  const { attempt } = area;
  const { matched, serverTotal, ...after } = await (attempt === null
    ? finishPass(transaction, area, declaration)
    : finishAttempt(transaction, attempt, declaration));
  const totals = {
    declaredTotal,
    serverTotal,
    deviceId,
    ...(attempt === null ? {} : { round: attempt.round }),
    ...madeBy(caller, maker),
  };
  const settled = attempt !== null && matched ? await settleClosed(transaction, attempt) : [];
  const finished = {
    actor: actorOf(caller),
    action: "area.finished",
    subject: await areaSubject(transaction, area.areaId),
    before: { status: area.status, pass: area.pass },
    after: { status: after.status, pass: after.pass, matched, ...totals },
  } as const;
  await recordAudits(transaction, sessionId, [finished, ...settled]);
  return { matched, serverTotal, pass: after.pass };
}

/**
 * The answer that the same finish got before (docs/API.md, "Areas and finishing"): same session, area, pass, device and
 * declared total. A device that names no pass means the current one; where nothing was scanned since the same finish
 * did not match, it asks again after a lost answer rather than for a second recount. It is told to whoever took part in that count alone:
 * by anybody else it could be a guess at the total.
 */
async function findEarlierFinish(
  transaction: Transaction,
  caller: Caller,
  area: LockedArea,
  { pass, ...declared }: FinishRequest,
): Promise<Finished | null> {
  if (area.attempt !== null)
    return earlierFinishOfAttempt(transaction, caller, { ...area, pass: pass ?? area.pass }, declared);
  const passes = await transaction
    .selectFrom("areaPasses")
    .selectAll()
    .where("sessionId", "=", area.sessionId)
    .where("areaId", "=", area.areaId)
    .$if(pass !== undefined, (query) => query.where("pass", "=", pass ?? 0))
    .orderBy("pass", "desc")
    .limit(2)
    .execute();
  const [newest, before] = passes;
  const told = (finish: Selectable<AreaPassesTable>) => toldTo(transaction, caller, finish);
  if (newest !== undefined && isSame(newest, declared)) return told(newest);
  if (newest === undefined || before?.endedAs !== "mismatched" || !isSame(before, declared)) return null;
  return (await hasScans(transaction, newest)) ? null : told(before);
}

async function toldTo(
  transaction: Transaction,
  { userId }: Caller,
  finish: Selectable<AreaPassesTable>,
): Promise<Finished | null> {
  return (await hasCountedIn(transaction, userId, finish)) ? finishedAs(finish) : null;
}

/** A device names the pass of a second count, so that a repeat is of it and no other. */
async function earlierFinishOfAttempt(
  transaction: Transaction,
  caller: Caller,
  attempt: Pass,
  declared: Declared,
): Promise<Finished | null> {
  const row = await transaction
    .selectFrom("secondCounts")
    .select(["finishedByDevice", "declaredTotal", "serverTotal"])
    .where(isOfPass(attempt))
    .where(isMadeBy("secondCounts", caller))
    .executeTakeFirst();
  return row !== undefined && isSame(row, declared) ? finishedAs(row) : null;
}

type Declared = Pick<FinishRequest, "deviceId" | "declaredTotal">;
type Finish = Pick<Selectable<AreaPassesTable>, "finishedByDevice" | "declaredTotal" | "serverTotal">;

function isSame({ finishedByDevice, declaredTotal }: Finish, declared: Declared): boolean {
  return finishedByDevice === declared.deviceId && declaredTotal === declared.declaredTotal;
}

function finishedAs({ declaredTotal, serverTotal }: Finish): Finished {
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
