import { type CallAnswer, type CallRequest, matchProduct, type resolveScan } from "@stocktake/contract";
import { type Selectable, sql } from "kysely";
import { actorOf, areaSubject, recordAudit } from "../../audit/audit.ts";
import type { SessionIndex } from "../../catalogue/catalogue.ts";
import type { Database, Transaction } from "../../database/pool.ts";
import type { ScansTable } from "../../database/tables.ts";
import { ApiError, invalidField, notFound } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { addToTotals, markInProgress } from "../../passes/passes.ts";
import { isDeployed } from "../../sessions/sessions.ts";
import type { ScanningServices } from "../services.ts";
import { findProduct } from "../storing/present.ts";
import { type AskedLevel, askAfterEnd, markAfterEnd } from "./after-end.ts";
import { lockTarget, type TargetArea } from "./target-area.ts";

type Scan = Selectable<ScansTable>;
type Decision = CallRequest<typeof resolveScan>["body"];
type Resolved = CallAnswer<typeof resolveScan>["scan"];

/**
 * Settles a scan that waits for an administrator: accepted, it counts from now on in the pass that counts for its
 * session and area; dismissed, it never does.
 * Throws NOT_FOUND, REPORT_DEPLOYED, SCAN_NOT_OPEN, or VALIDATION where it is not clear what it should count as.
 */
export async function resolve(
  context: ScanningServices,
  caller: AdminCaller,
  scanId: number,
  decision: Decision,
): Promise<Resolved> {
  const scan = await findScan(context.database, scanId);
  const index = await indexFor(context, scan);
  const sku = skuFor(scan, decision, index);
  const asksShopify = decision.action === "accept" && !(sku instanceof ApiError);
  const asked = asksShopify ? await askAfterEnd(context, scan, sku) : null;
  const { resolved, storeId } = await context.database.transaction().execute(async (transaction) => {
    await holdSession(transaction, scan.sessionId);
    if (await isDeployed(transaction, scan.sessionId)) throw reportDeployed();
    const target = await lockTarget(transaction, scan, decision.areaId ?? null);
    await requireOpen(transaction, scanId);
    const settled =
      decision.action === "dismiss"
        ? await dismiss(transaction, caller, scan)
        : await accept(transaction, caller, scan, { target, sku: requireSku(sku), asked });
    await recordDecision(transaction, caller, scan, settled);
    return { resolved: settled, storeId: scan.storeId };
  });
  context.events.publish({
    type: "scan",
    sessionId: scan.sessionId,
    storeId,
    areaId: resolved.areaId,
    pass: resolved.pass,
  });
  return resolved;
}

/** The scan is named by its input: a label means more to people than our number. */
async function recordDecision(
  transaction: Transaction,
  caller: AdminCaller,
  scan: Scan,
  { status, sku, areaId, pass }: Resolved,
): Promise<void> {
  const nameOf = async (id: string) => (await areaSubject(transaction, id)).name;
  await recordAudit(transaction, {
    sessionId: scan.sessionId,
    actor: actorOf(caller),
    action: status === "counted" ? "exception.accepted" : "exception.dismissed",
    subject: { kind: "scan", id: String(scan.id), name: scan.input },
    before: {
      status: scan.status,
      reason: scan.reason,
      sku: scan.sku,
      area: await nameOf(scan.areaId),
      pass: scan.pass,
    },
    after: { status, sku, quantity: scan.quantity, area: await nameOf(areaId), pass },
  });
}

async function findScan(database: Database, scanId: number): Promise<Scan> {
  const scan = await database.selectFrom("scans").selectAll().where("id", "=", scanId).executeTakeFirst();
  if (scan === undefined) throw notFound("The scan");
  return scan;
}

async function indexFor({ database, catalogue }: ScanningServices, scan: Scan): Promise<SessionIndex> {
  const session = await database
    .selectFrom("sessions")
    .select("catalogueVersion")
    .where("id", "=", scan.sessionId)
    .executeTakeFirstOrThrow();
  return catalogue.sessionIndex(scan.sessionId, session.catalogueVersion);
}

/** Against the end of the session and against its deploy, which both lock this row before they read what counts. */
async function holdSession(transaction: Transaction, sessionId: string): Promise<void> {
  await transaction
    .selectFrom("sessions")
    .select("id")
    .where("id", "=", sessionId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** Reads the scan's status again: its area is locked now, so nothing else settles, undoes or voids it meanwhile. */
async function requireOpen(transaction: Transaction, scanId: number): Promise<void> {
  const { status } = await transaction
    .selectFrom("scans")
    .select("status")
    .where("id", "=", scanId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (status !== "unresolved" && status !== "late") {
    throw new ApiError(
      "SCAN_NOT_OPEN",
      "This scan has already been settled. Reload the list to see what is still open.",
    );
  }
}

function reportDeployed(): ApiError {
  return new ApiError(
    "REPORT_DEPLOYED",
    "The session's report is deployed, so its counts can't change. Roll the adjustment back first.",
  );
}

function requireSku(sku: string | ApiError): string {
  if (sku instanceof ApiError) throw sku;
  return sku;
}

/** What the scan counts as, or why that is not clear: the given SKU, otherwise its own match, otherwise what its code matches by now. */
function skuFor(scan: Scan, { sku: given }: Decision, { index }: SessionIndex): string | ApiError {
  if (given !== undefined && given !== null) {
    const product = findProduct(index, given);
    return product === undefined ? notFound("The product") : product.sku;
  }
  if (scan.sku !== null) return scan.sku;
  const match = matchProduct(index, scan.input, scan.inputType);
  if (match.kind === "one") return match.product.sku;
  return invalidField("sku", "Choose the product that this scan should count as.");
}

function settledBy(caller: AdminCaller) {
  return { resolvedBy: caller.userId, resolvedAt: sql<Date>`now()` };
}

interface Acceptance {
  readonly target: TargetArea;
  readonly sku: string;
  /** What Shopify said of the SKU's stock now, where that matters. */
  readonly asked: AskedLevel | null;
}

async function accept(
  transaction: Transaction,
  caller: AdminCaller,
  scan: Scan,
  { target, sku, asked }: Acceptance,
): Promise<Resolved> {
  const { id } = scan;
  const { areaId, locationId, pass } = target;
  await transaction
    .updateTable("scans")
    .set({
      status: "counted",
      reason: null,
      sku,
      areaId,
      locationId,
      pass,
      ...settledBy(caller),
    })
    .where("id", "=", id)
    .execute();
  await addToTotals(transaction, sql<boolean>`scan.id = ${id}`);
  await markAfterEnd(transaction, scan, sku, asked);
  if (target.isRunning) await markInProgress(transaction, [areaId]);
  return { _id: String(id), status: "counted", reason: null, sku, areaId, pass };
}

async function dismiss(transaction: Transaction, caller: AdminCaller, scan: Scan): Promise<Resolved> {
  const { id, status, reason, sku, areaId, pass } = scan;
  await transaction
    .updateTable("scans")
    .set({
      status: "voided",
      reason: "DISMISSED",
      voidedFrom: status === "unresolved" ? status : null,
      voidedFromReason: reason,
      voidedBy: caller.userId,
      voidedAt: sql<Date>`now()`,
      ...settledBy(caller),
    })
    .where("id", "=", id)
    .execute();
  return { _id: String(id), status: "voided", reason: "DISMISSED", sku, areaId, pass };
}
