import { isDeepStrictEqual } from "node:util";
import type { SeenFigure, UncertainReason } from "@stocktake/contract";
import { actorOf, productSubject, recordAudit } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import { ApiError, invalidField, notFound } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { quantityText } from "../../kernel/formats.ts";
import type { SessionRow } from "../../sessions/sessions.ts";
import { type ReportContext, readReportContext } from "../counting-time.ts";
import { type ReportRow, readReportRows } from "../rows/report-row-queries.ts";
import type { ReportServices } from "../services.ts";
import { isIncluded, uncertainReasonsOf } from "../uncertain.ts";
import { lockChangeable } from "./changeable.ts";

/** Uncertain figures, by their SKUs, and whether a deploy is to apply them. */
export interface Inclusion {
  readonly skus: readonly string[];
  readonly included: boolean;
  /** What was read of them before; of those that it leaves out nobody says. */
  readonly seen?: readonly SeenFigure[] | undefined;
}

/**
 * Lets a deploy apply uncertain figures as they are, or leaves them out again. What is so already stays as it is.
 * @throws ApiError NOT_FOUND for a SKU that the session does not have, VALIDATION for one whose figure is certain,
 * SESSION_ACTIVE, REPORT_DEPLOYED, CHANGED_MEANWHILE for one whose figure is another than was read: then nothing is decided on any.
 */
export async function includeFiguresOf(
  { database, events }: ReportServices,
  caller: AdminCaller,
  sessionId: string,
  { skus, included, seen = [] }: Inclusion,
): Promise<void> {
  const seenOf = new Map(seen.map((figure) => [figure.sku, figure]));
  await database.transaction().execute(async (transaction) => {
    const session = await lockChangeable(transaction, caller, sessionId);
    const context = await readReportContext(transaction, session);
    const distinct = [...new Set(skus)];
    const rows = new Map((await readReportRows(transaction, session, distinct)).map((row) => [row.sku, row]));
    for (const sku of distinct) {
      const row = rows.get(sku);
      if (row === undefined) throw notFound(`The SKU ${sku}`);
      await recordInclusion(transaction, caller, { session, context, row, included, seen: seenOf.get(sku) });
    }
  });
  events.publish({ type: "adjustment", sessionId });
}

interface IncludedRow {
  readonly session: SessionRow;
  readonly context: ReportContext;
  readonly row: ReportRow;
  readonly included: boolean;
  readonly seen: SeenFigure | undefined;
}

/** Refuses a decision about a figure that is not the one that was read: it would be an administrator's about what they never saw. */
function requireSeenFigure(
  { counted, uncertainReasons }: SeenFigure,
  row: ReportRow,
  reasons: readonly UncertainReason[],
): void {
  const isSeenCount = counted === row.counted;
  if (isSeenCount && isDeepStrictEqual(uncertainReasons.toSorted(), reasons.toSorted())) return;
  const change = isSeenCount
    ? "what is uncertain about it is something else by now"
    : `its count is ${quantityText(row.counted)} by now, not ${quantityText(counted)}`;
  throw new ApiError(
    "CHANGED_MEANWHILE",
    `The figure of ${row.sku} has changed since you read it: ${change}. Nothing was decided. Look at what is there now, then choose again.`,
  );
}

async function recordInclusion(
  transaction: Transaction,
  caller: AdminCaller,
  { session, context, row, included, seen }: IncludedRow,
): Promise<void> {
  const reasons = uncertainReasonsOf(row, context);
  const before = isIncluded(row, context);
  const isLeftOut = !included && !before && reasons.length > 0;
  if (seen !== undefined && !isLeftOut) requireSeenFigure(seen, row, reasons);
  if (reasons.length === 0) throw invalidField("skus", `The figure of ${row.sku} is certain.`);
  if (before === included) return;
  const ofRow = { sessionId: session.id, sku: row.sku };
  await transaction
    .deleteFrom("includedFigures")
    .where("sessionId", "=", ofRow.sessionId)
    .where("sku", "=", ofRow.sku)
    .execute();
  if (included) {
    await transaction
      .insertInto("includedFigures")
      .values(
        reasons.map((reason) => ({ ...ofRow, reason, counted: row.counted, includedBy: caller.userId })),
      )
      .execute();
  }
  await recordAudit(transaction, {
    sessionId: session.id,
    actor: actorOf(caller),
    action: included ? "figure.included" : "figure.left_out",
    subject: await productSubject(transaction, session.id, row.sku),
    before: { included: before },
    after: { included, reason: reasons.join(", "), count: row.counted },
  });
}
