import { type AuditAction, groupBy } from "@stocktake/contract";
import { sql } from "kysely";
import { actorOf, recordAudits } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import type { ScanDecisionsTable } from "../../database/tables.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { addToTotals, compareAgain, markInProgress, passShown } from "../../passes/passes.ts";
import { type AskedLevels, markAfterEnd } from "./after-end-queries.ts";
import type { TargetArea } from "./locked-area-queries.ts";
import { namesOfAreas } from "./scan-queries.ts";
import type { Scan, ScanState } from "./scans.ts";
import type { HeldSession } from "./session-queries.ts";

/** In what a decision is carried out: the session's row and the areas of the scans are locked. */
export interface DecidingWork {
  readonly transaction: Transaction;
  readonly caller: AdminCaller;
  readonly session: HeldSession;
}

/** A scan that waits, what it is to count as and where. */
export interface Acceptance {
  readonly scan: Scan;
  readonly sku: string;
  /** The units of one pack, where its code has become one of a pack since it was stored: it counts as many times what was scanned. */
  readonly units: number | null;
  readonly target: TargetArea;
}

/** A scan that a decision changed. */
export interface Change {
  readonly before: Scan;
  readonly after: ScanState;
}

/** Makes the scans count. `asked`: what Shopify said of the stock of those made after the end. */
export async function accept(
  work: DecidingWork,
  acceptances: readonly Acceptance[],
  asked: AskedLevels,
): Promise<readonly Change[]> {
  const { transaction, caller, session } = work;
  const ids = acceptances.map(({ scan }) => scan.id);
  if (ids.length === 0) return [];
  await keepFormer(work, ids, { decision: "accepted", note: null });
  const targets = acceptances.map(({ target }) => target);
  const counts = acceptances.map(unitsCounted);
  await sql`
    update scans set status = 'counted', reason = null, sku = given.sku, area_id = given.area_id,
      location_id = given.location_id, pass = given.pass, tag = given.tag, quantity = given.quantity, pack_units = given.pack_units,
      resolved_by = ${caller.userId}, resolved_at = now()
    from unnest(${ids}::bigint[], ${acceptances.map(({ sku }) => sku)}::text[],
      ${targets.map(({ areaId }) => areaId)}::uuid[], ${targets.map(({ locationId }) => locationId)}::uuid[],
      ${targets.map(({ pass }) => pass)}::integer[], ${acceptances.map(({ scan }) => scan.tag)}::text[],
      ${counts.map(({ quantity }) => quantity)}::integer[], ${counts.map(({ packUnits }) => packUnits)}::integer[])
      as given (id, sku, area_id, location_id, pass, tag, quantity, pack_units)
    where scans.id = given.id`.execute(transaction);
  await addToTotals(transaction, sql<boolean>`scan.id = any(${ids}::bigint[])`);
  const counted = acceptances.map(({ scan, sku }) => ({ id: scan.id, sku }));
  await markAfterEnd(transaction, session.id, counted, asked);
  await compareChanged(
    transaction,
    session.id,
    acceptances.map(({ sku, target }) => ({ ...target, sku })),
  );
  if (session.isRunning) await markInProgress(transaction, [...new Set(targets.map(({ areaId }) => areaId))]);
  return acceptances.map((acceptance) => {
    const { scan, sku, target } = acceptance;
    const { areaId, pass } = target;
    const after = { id: scan.id, status: "counted", reason: null, sku, areaId, pass } as const;
    return { before: scan, after: { ...after, ...unitsCounted(acceptance) } };
  });
}

function unitsCounted({ scan, units }: Acceptance): Pick<ScanState, "quantity" | "packUnits"> {
  if (units === null) return { quantity: scan.quantity, packUnits: scan.packUnits };
  return { quantity: scan.quantity * units, packUnits: units };
}

/** A SKU of which another number counts in an area's pass than before. */
type ChangedTotal = Pick<TargetArea, "areaId" | "pass"> & { readonly sku: string };

/** Compares the areas of changed totals, which are locked, with their second counts again. */
export async function compareChanged(
  transaction: Transaction,
  sessionId: string,
  totals: readonly ChangedTotal[],
): Promise<void> {
  const byArea = groupBy(totals, ({ areaId, pass }) => `${areaId} ${pass}`);
  for (const changed of byArea.values()) {
    const [first] = changed;
    if (first === undefined) continue;
    const skus = new Set(changed.map(({ sku }) => sku));
    await compareAgain(transaction, { sessionId, areaId: first.areaId, ofPass: first.pass }, [...skus]);
  }
}

/** Takes the scans out of what waits; `note`: why. */
export async function dismiss(
  work: DecidingWork,
  scans: readonly Scan[],
  note: string | null,
): Promise<readonly Change[]> {
  const ids = scans.map(({ id }) => id);
  if (ids.length === 0) return [];
  await keepFormer(work, ids, { decision: "dismissed", note });
  await sql`
    update scans set status = 'voided', reason = 'DISMISSED',
      voided_from = case when status = 'unresolved' then status end, voided_from_reason = reason,
      voided_by = ${work.caller.userId}, voided_at = now(), resolved_by = ${work.caller.userId}, resolved_at = now()
    where id = any(${ids}::bigint[])`.execute(work.transaction);
  return scans.map((scan) => ({ before: scan, after: { ...scan, status: "voided", reason: "DISMISSED" } }));
}

/**
 * Keeps what the scans are now, so that the decision can be taken back. One that waits although it was decided on before, as a restored
 * count may leave it, is decided on anew.
 */
async function keepFormer(
  { transaction }: DecidingWork,
  ids: readonly number[],
  { decision, note }: Pick<ScanDecisionsTable, "decision" | "note">,
): Promise<void> {
  await sql`
    insert into scan_decisions (scan_id, session_id, decision, status, reason, sku, area_id, location_id, pass, note)
    select id, session_id, ${decision}, status, reason, sku, area_id, location_id, pass, ${note}
    from scans where id = any(${ids}::bigint[])
    on conflict (scan_id) do update set decision = excluded.decision, status = excluded.status, reason = excluded.reason,
      sku = excluded.sku, area_id = excluded.area_id, location_id = excluded.location_id, pass = excluded.pass,
      note = excluded.note, number = default`.execute(transaction);
}

/** An entry for each scan, which is named by its input: a label means more to people than our number. */
export async function recordDecisions(
  { transaction, caller, session }: DecidingWork,
  action: Extract<AuditAction, `exception.${string}`>,
  changes: readonly Change[],
  note: string | null = null,
): Promise<void> {
  if (changes.length === 0) return;
  const areaIds = changes.flatMap(({ before, after }) => [before.areaId, after.areaId]);
  const names = await namesOfAreas(transaction, areaIds);
  const entries = changes.map(({ before, after }) => ({
    actor: actorOf(caller),
    action,
    subject: { kind: "scan", id: String(before.id), name: before.input } as const,
    before: {
      status: before.status,
      reason: before.reason,
      sku: before.sku,
      area: names.get(before.areaId) ?? "",
      pass: passShown(before.pass),
      ...(before.quantity === after.quantity ? {} : { quantity: before.quantity, ...packOf(before) }),
    },
    after: {
      status: after.status,
      sku: after.sku,
      quantity: after.quantity,
      ...packOf(after),
      area: names.get(after.areaId) ?? "",
      pass: passShown(after.pass),
      ...(note === null ? {} : { note }),
    },
  }));
  await recordAudits(transaction, session.id, entries);
}

function packOf({ packUnits }: ScanState): { readonly packUnits?: number } {
  return packUnits === null ? {} : { packUnits };
}
