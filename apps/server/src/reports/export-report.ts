import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { ReportView } from "@stocktake/contract";
import { sql } from "kysely";
import { readLastHash } from "../audit/audit.ts";
import type { Database, Transaction } from "../database/pool.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import { groupBy } from "../kernel/group-by.ts";
import type { SessionRow } from "../sessions/sessions.ts";
import { countedStock, mayVary } from "./counted-stock-queries.ts";
import { readReportContext } from "./counting-time.ts";
import { type ExportedRow, reportCsv } from "./csv.ts";
import { findEndedSession } from "./ended-session.ts";
import { listCountHistory, readAtOneMoment } from "./queries.ts";
import { inReportOrder, type ReportOrderKey } from "./report-order.ts";
import { readReportRows } from "./report-row-queries.ts";
import { reportItems } from "./report-rules.ts";

/** Rows in memory at a time: a tenth of a second's work, some hundred kilobytes. */
const rowsPerPage = 500;

/** Of the pool's connections the counters need most, whoever reads slowly. */
const exportsAtOnce = 4;

/** Opens the report of an ended session as CSV. @throws ApiError NOT_FOUND, SESSION_ACTIVE, OVERLOADED. */
type OpenReportCsv = (caller: AdminCaller, sessionId: string, view: ReportView) => Promise<Readable>;

/** Exports so many reports at a time; each has a connection of the pool until its reader is done with it. */
export function createReportExport(database: Database): OpenReportCsv {
  let running = 0;
  return (caller, sessionId, view) =>
    new Promise((resolve, reject) => {
      if (running >= exportsAtOnce) throw tooManyExports();
      running += 1;
      exportReport(database, { caller, sessionId, view }, resolve)
        // Once there are lines their reader gets every error, and this changes nothing any more.
        .catch(reject)
        .finally(() => {
          running -= 1;
        });
    });
}

function tooManyExports(): ApiError {
  return new ApiError(
    "OVERLOADED",
    "Other exports are still being downloaded. Nothing was changed. Try again in a minute.",
    { retryAfterSeconds: 60 },
  );
}

interface Wanted {
  readonly caller: AdminCaller;
  readonly sessionId: string;
  readonly view: ReportView;
}

/**
 * The report as CSV while it is read. Its transaction lasts until the last line was taken or the lines are destroyed,
 * as they are when a reader goes away; one who reads nothing for a minute loses it, and the file breaks off.
 */
function exportReport(
  database: Database,
  { caller, sessionId, view }: Wanted,
  begin: (lines: Readable) => void,
): Promise<void> {
  return readAtOneMoment(database, async (transaction) => {
    const session = await findEndedSession(transaction, caller, sessionId);
    const skus = await readSkusInOrder(transaction, session, view);
    const auditHash = await readLastHash(transaction, session.id);
    const lines = reportCsv(exportedPages(transaction, session, skus, view), auditHash);
    begin(lines);
    await finished(lines);
  });
}

/** What the order needs is read first and is all that is kept of every row; the rows follow page by page. */
async function readSkusInOrder(
  transaction: Transaction,
  session: SessionRow,
  view: ReportView,
): Promise<string[]> {
  const { rows } = await sql<ReportOrderKey>`
    with ${countedStock(session, null)}
    select sku, product_title, size from stock
    where ${view === "all"} or ${mayVary(session)}`.execute(transaction);
  return inReportOrder(rows).map(({ sku }) => sku);
}

async function* exportedPages(
  transaction: Transaction,
  session: SessionRow,
  skus: readonly string[],
  view: ReportView,
): AsyncGenerator<ExportedRow[]> {
  const context = await readReportContext(transaction, session);
  for (let from = 0; from < skus.length; from += rowsPerPage) {
    const page = skus.slice(from, from + rowsPerPage);
    const rows = await readReportRows(transaction, session, page);
    const changes = groupBy(await listCountHistory(transaction, session.id, page), ({ sku }) => sku);
    yield Array.from(reportItems(rows, context, view), (item) => ({
      item,
      history: (changes.get(item.sku) ?? []).toReversed(),
    }));
  }
}
