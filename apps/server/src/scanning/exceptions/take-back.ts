import type { CallAnswer, takeBackDecisions } from "@stocktake/contract";
import { sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { forgetNames, subtractFromTotals } from "../../passes/passes.ts";
import type { ScanningServices } from "../services.ts";
import { type Change, compareChanged, type DecidingWork, recordDecisions } from "./accept-or-dismiss.ts";
import { clearAfterEnd } from "./after-end-queries.ts";
import { LockedAreas } from "./locked-area-queries.ts";
import { findScans, lockScans } from "./scan-queries.ts";
import { isOpen, presentState, publishChanges, type Scan, type ScanState } from "./scans.ts";
import { holdSession } from "./session-queries.ts";

type Answer = CallAnswer<typeof takeBackDecisions>["scans"][number];

/**
 * Takes decisions on scans back, as long as the report is not deployed: the scans wait again as what they were, and what
 * was accepted no longer counts. Each that can't be taken back says why.
 * Throws NOT_FOUND, REPORT_DEPLOYED.
 */
export async function takeBack(
  context: ScanningServices,
  caller: AdminCaller,
  sessionId: string,
  scanIds: readonly number[],
): Promise<Answer[]> {
  const { session, changes, answers } = await context.database.transaction().execute(async (transaction) => {
    const held = await holdSession(transaction, sessionId);
    const work = { transaction, caller, session: held };
    return { session: held, ...(await takeBackHeld(work, scanIds)) };
  });
  const changed = changes.flatMap(({ before, after }) => [before, after]);
  publishChanges(context, session, changed);
  return answers.toSorted((left, right) => Number(left._id) - Number(right._id));
}

async function takeBackHeld(work: DecidingWork, ids: readonly number[]) {
  const { transaction, session } = work;
  const found = await findScans(transaction, session.id, ids);
  const formers = await formersOf(transaction, ids);
  const areaIds = [...found, ...formers.values()].map(({ areaId }) => areaId);
  const areas = await LockedAreas.lock(transaction, session, areaIds);
  const answers: Answer[] = [];
  const changes: TakenBack[] = [];
  for (const scan of await lockScans(transaction, ids)) {
    const former = formers.get(scan.id);
    const outcome = outcomeOf(scan, former);
    if (former !== undefined && outcome === "done") changes.push(takenBack(scan, former, areas));
    else answers.push({ ...presentState(scan), outcome });
  }
  await restoreFormer(work, changes);
  await recordDecisions(work, "exception.taken_back", changes);
  const done = changes.map(({ after }) => ({ ...presentState(after), outcome: "done" as const }));
  return { changes, answers: [...answers, ...done] };
}

/** What a scan was before it was decided on. */
interface Former extends Omit<ScanState, "quantity" | "packUnits"> {
  readonly locationId: string;
}

/** Of those of the scans that are decided on. The session's row is held, so nobody else decides meanwhile. */
async function formersOf(transaction: Transaction, ids: readonly number[]) {
  const { rows } = await sql<Former>`
    select scan_id as id, status, reason, sku, area_id, location_id, pass
    from scan_decisions where scan_id = any(${ids}::bigint[])`.execute(transaction);
  return new Map(rows.map((row) => [row.id, row]));
}

function outcomeOf(scan: Scan, former: Former | undefined): Answer["outcome"] {
  if (isOpen(scan)) return "waiting";
  if (former === undefined) return "not_recorded";
  return scan.status === "counted" || scan.reason === "DISMISSED" ? "done" : "voided_since";
}

interface TakenBack extends Change {
  readonly locationId: string;
}

/**
 * What the scan waits as. One that was unresolved waits in the pass in which it counts, which its area may have had
 * restored under another number; where its pass is over by now it is late, as one that arrives now would be.
 */
function takenBack(scan: Scan, former: Former, areas: LockedAreas): TakenBack {
  const { status, reason, sku, areaId, locationId } = former;
  const pass = status === "unresolved" && scan.areaId === areaId ? scan.pass : former.pass;
  const isOver = status === "unresolved" && pass !== (areas.countingPass(areaId) ?? pass);
  const now = isOver ? ({ status: "late", reason: "PASS_OVER" } as const) : { status, reason };
  return {
    before: scan,
    after: { id: scan.id, ...now, sku, areaId, pass, ...unitsBefore(scan, former) },
    locationId,
  };
}

/** One that had no product was stored as it was scanned: that its code is one of a pack was found when it was accepted. */
function unitsBefore(
  { quantity, packUnits }: Scan,
  former: Former,
): Pick<ScanState, "quantity" | "packUnits"> {
  if (former.sku !== null || packUnits === null) return { quantity, packUnits };
  return { quantity: quantity / packUnits, packUnits: null };
}

async function restoreFormer({ transaction, session }: DecidingWork, changes: readonly TakenBack[]) {
  if (changes.length === 0) return;
  const to = changes.map(({ after, locationId }) => ({ ...after, locationId }));
  await sql`
    update scans set status = given.status, reason = given.reason, sku = given.sku, area_id = given.area_id,
      location_id = given.location_id, pass = given.pass, quantity = given.quantity, pack_units = given.pack_units, voided_from = null, voided_from_reason = null,
      voided_by = null, voided_at = null, resolved_by = null, resolved_at = null
    from unnest(${to.map(({ id }) => id)}::bigint[], ${to.map(({ status }) => status)}::text[],
      ${to.map(({ reason }) => reason)}::text[], ${to.map(({ sku }) => sku)}::text[],
      ${to.map(({ areaId }) => areaId)}::uuid[], ${to.map(({ locationId }) => locationId)}::uuid[],
      ${to.map(({ pass }) => pass)}::integer[], ${to.map(({ quantity }) => quantity)}::integer[],
      ${to.map(({ packUnits }) => packUnits)}::integer[])
      as given (id, status, reason, sku, area_id, location_id, pass, quantity, pack_units)
    where scans.id = given.id`.execute(transaction);
  await sql`delete from scan_decisions where scan_id = any(${to.map(({ id }) => id)}::bigint[])`.execute(
    transaction,
  );
  await subtractCounted(transaction, session.id, changes);
}

async function subtractCounted(transaction: Transaction, sessionId: string, changes: readonly TakenBack[]) {
  const totals = new Map<string, { sku: string; areaId: string; pass: number; quantity: number }>();
  for (const { before } of changes) {
    const { status, sku, areaId, pass, quantity } = before;
    if (status !== "counted" || sku === null) continue;
    const key = JSON.stringify([areaId, pass, sku]);
    totals.set(key, { sku, areaId, pass, quantity: quantity + (totals.get(key)?.quantity ?? 0) });
  }
  const inOrder = [...totals].toSorted(([left], [right]) => (left < right ? -1 : 1));
  for (const [, { areaId, pass, ...total }] of inOrder) {
    await subtractFromTotals(transaction, { sessionId, areaId, pass }, total);
  }
  const skus = [...new Set(inOrder.map(([, { sku }]) => sku))];
  if (skus.length > 0) await clearAfterEnd(transaction, sessionId, skus);
  await forgetNames(
    transaction,
    sessionId,
    changes.map(({ before }) => before),
  );
  await compareChanged(
    transaction,
    sessionId,
    inOrder.map(([, total]) => total),
  );
}
