import type { Readable } from "node:stream";
import { setImmediate as letOthersGoOn } from "node:timers/promises";
import { groupBy, type OrderedProduct, type ReportView } from "@stocktake/contract";
import { sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import type { Exports } from "../kernel/files/exports.ts";
import type { SessionRow } from "../sessions/sessions.ts";
import { countedStock, mayVary } from "./counted-stock-queries.ts";
import { type ReportContext, readReportContext } from "./counting-time.ts";
import { type ExportedRow, reportCsv } from "./csv.ts";
import { findEndedSession } from "./ended-session.ts";
import { readExportedSession } from "./exported-session.ts";
import { notMovedText, readNotMovedNow } from "./not-moved-queries.ts";
import { listCountHistory } from "./queries.ts";
import { inReportOrder } from "./report-order.ts";
import { isShown, presentRow } from "./report-rules.ts";
import { readReportRowsInTurn } from "./rows/report-row-queries.ts";
import type { OnHandReading } from "./variance.ts";

interface Wanted {
  readonly caller: AdminCaller;
  readonly sessionId: string;
  readonly view: ReportView;
}

/** The report of an ended session as CSV while it is read. @throws ApiError NOT_FOUND, SESSION_ACTIVE, OVERLOADED. */
export function exportReportCsv(exports: Exports, { caller, sessionId, view }: Wanted): Promise<Readable> {
  return exports(async (transaction) => {
    const session = await findEndedSession(transaction, caller, sessionId);
    const exported = await readExportedSession(transaction, session);
    return reportCsv(await readReportPages(transaction, session, view), exported);
  });
}

/** A row of an export, with what its variance when counted was worked out from. */
export interface ReportPageRow extends ExportedRow {
  /** On hand as read while the session ran, in order of time. */
  readonly readings: readonly OnHandReading[];
}

/** Which rows are exported, and what they are worked out from. */
interface Shown {
  readonly view: ReportView;
  readonly context: ReportContext;
}

/** What the order needs is read first and is all that is kept of every row; the rows follow page by page. */
async function readSkusInOrder(
  transaction: Transaction,
  session: SessionRow,
  { view, context }: Shown,
): Promise<string[]> {
  const { rows } = await sql<OrderedProduct>`
    with ${countedStock(session, null)}
    select sku, product_title, size from stock
    where ${view === "all"} or ${mayVary(session, context.movedByOthers.keys())}`.execute(transaction);
  return (await inReportOrder(rows)).map(({ sku }) => sku);
}

/** The rows of a report with how each was counted by hand, page by page in the report's order. */
export async function readReportPages(
  transaction: Transaction,
  session: SessionRow,
  view: ReportView,
): Promise<AsyncGenerator<ReportPageRow[]>> {
  const context = await readReportContext(transaction, session);
  const skus = await readSkusInOrder(transaction, session, { view, context });
  return pagesOf(transaction, session, skus, { view, context });
}

async function* pagesOf(
  transaction: Transaction,
  session: SessionRow,
  order: readonly string[],
  { view, context }: Shown,
): AsyncGenerator<ReportPageRow[]> {
  // What else is read of all rows is read at once: to name all of them would take longer than to read what they are of.
  const skus = view === "all" ? null : order;
  const changes = groupBy(await listCountHistory(transaction, session.id, skus), ({ sku }) => sku);
  const notMoved = await readNotMovedNow(transaction, session.id);
  for await (const rows of readReportRowsInTurn(transaction, session, skus, order)) {
    const shown = rows.filter((row) => isShown(row, context, view));
    yield shown.map((row) => {
      const item = presentRow(row, context);
      const history = (changes.get(row.sku) ?? []).toReversed();
      const text = notMovedText(notMoved, item);
      return { item, history, readings: row.readings, ...(text === null ? {} : { notMoved: text }) };
    });
    // The reader may take page after page without waiting for anything.
    await letOthersGoOn();
  }
}
