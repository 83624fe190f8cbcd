import { Readable } from "node:stream";
import { byteOrderMark, type ScanReason, scanReasonMessages, textCell } from "@stocktake/contract";
import { stringify } from "csv-stringify/sync";
import { sql } from "kysely";
import type { Transaction } from "../database/pool.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import { csvFormat } from "../kernel/files/csv.ts";
import type { Exports } from "../kernel/files/exports.ts";
import { passShown } from "../passes/passes.ts";
import { findEndedSession } from "./ended-session.ts";
import { readExportedSession, sessionCells, sessionHeaders } from "./exported-session.ts";

/** Scans in memory at a time: some hundred kilobytes. */
const scansPerPage = 1_000;

export interface ScanRow {
  readonly deviceId: string;
  readonly seq: number;
  readonly scannedAt: Date;
  readonly timeKnown: boolean;
  readonly receivedAt: Date;
  readonly username: string;
  readonly location: string;
  readonly areaId: string;
  readonly areaCode: string;
  readonly areaName: string;
  readonly pass: number;
  /** The pass that its device named: of a second count whose figure counts now, the second count's. */
  readonly sentPass: number | null;
  readonly input: string;
  readonly method: "scan" | "manual";
  readonly quantity: number;
  readonly sku: string | null;
  readonly productTitle: string | null;
  readonly size: string | null;
  readonly status: "counted" | "unresolved" | "late" | "voided";
  readonly reason: ScanReason | null;
  /** An administrator has accepted it, whatever became of it since: it is then of no second count, whatever pass its device named. */
  readonly accepted: boolean;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  /** Why it was dismissed, in the administrator's words. */
  readonly note: string | null;
}

interface Column {
  readonly header: string;
  readonly cell: (scan: ScanRow) => string | number;
}

const columns: readonly Column[] = [
  { header: "Scanned At", cell: ({ scannedAt }) => scannedAt.toISOString() },
  { header: "Time", cell: ({ timeKnown }) => (timeKnown ? "known" : "unknown") },
  { header: "Received At", cell: ({ receivedAt }) => receivedAt.toISOString() },
  { header: "Counter", cell: ({ username }) => textCell(username) },
  { header: "Device", cell: ({ deviceId }) => textCell(deviceId) },
  { header: "Number", cell: ({ seq }) => seq },
  { header: "Location", cell: ({ location }) => textCell(location) },
  { header: "Area Code", cell: ({ areaCode }) => textCell(areaCode) },
  { header: "Area", cell: ({ areaName }) => textCell(areaName) },
  { header: "Pass", cell: ({ pass }) => passShown(pass) ?? "" },
  { header: "Code", cell: ({ input }) => textCell(input) },
  { header: "Input", cell: ({ method }) => (method === "scan" ? "scanned" : "typed") },
  { header: "Quantity", cell: ({ quantity }) => quantity },
  { header: "SKU", cell: ({ sku }) => textCell(sku) },
  { header: "Product", cell: ({ productTitle }) => textCell(productTitle) },
  { header: "Size", cell: ({ size }) => textCell(size) },
  { header: "Outcome", cell: ({ status }) => status },
  { header: "Reason", cell: ({ reason }) => (reason === null ? "" : scanReasonMessages[reason]) },
  { header: "Decided By", cell: ({ decidedBy }) => textCell(decidedBy) },
  { header: "Decided At", cell: ({ decidedAt }) => decidedAt?.toISOString() ?? "" },
  { header: "Decision Reason", cell: ({ note }) => textCell(note) },
];

/**
 * Every scan of an ended session as CSV while it is read, whatever became of it: a device after the other, in the order in
 * which each made them. Every line ends with the session's name and what its audit log ends with.
 * @throws ApiError NOT_FOUND, SESSION_ACTIVE, OVERLOADED.
 */
export function exportScansCsv(exports: Exports, caller: AdminCaller, sessionId: string): Promise<Readable> {
  return exports(async (transaction) => {
    const session = await findEndedSession(transaction, caller, sessionId);
    const ofSession = sessionCells(await readExportedSession(transaction, session));
    return Readable.from(linesOf(transaction, session.id, ofSession), { objectMode: false });
  });
}

async function* linesOf(
  transaction: Transaction,
  sessionId: string,
  ofSession: readonly string[],
): AsyncGenerator<string> {
  yield byteOrderMark + stringify([[...columns.map(({ header }) => header), ...sessionHeaders]], csvFormat);
  for await (const page of pagesOfScans(transaction, sessionId)) {
    yield stringify(
      page.map((scan) => [...columns.map(({ cell }) => cell(scan)), ...ofSession]),
      csvFormat,
    );
  }
}

/** Every scan of a session: a device after the other, in the order in which each made them. */
export async function* pagesOfScans(transaction: Transaction, sessionId: string): AsyncGenerator<ScanRow[]> {
  let page = await readScans(transaction, sessionId, { deviceId: "", seq: 0 });
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    yield page;
    page = await readScans(transaction, sessionId, last);
  }
}

/** The scans after one, in the order of the index that numbers them within their devices. */
async function readScans(
  transaction: Transaction,
  sessionId: string,
  { deviceId, seq }: Pick<ScanRow, "deviceId" | "seq">,
): Promise<ScanRow[]> {
  const { rows } = await sql<ScanRow>`
    select scan.device_id, scan.seq, scan.scanned_at, scan.time_known, scan.received_at, scanner.username,
      location.name as location, scan.area_id, area.code as area_code, area.name as area_name, scan.pass, scan.sent_pass, scan.input, scan.method,
      scan.quantity, scan.sku, item.product_title, item.size, scan.status, scan.reason,
      scan.resolved_by is not null and scan.reason is distinct from 'DISMISSED' as accepted,
      decider.username as decided_by, coalesce(scan.voided_at, scan.resolved_at) as decided_at, decision.note
    from (
      select * from scans
      where session_id = ${sessionId} and (device_id, seq) > (${deviceId}, ${seq}::bigint)
      order by device_id, seq
      limit ${scansPerPage}) scan
    join users scanner on scanner.id = scan.scanned_by
    join areas area on area.id = scan.area_id
    join locations location on location.id = scan.location_id
    left join session_items item on item.session_id = scan.session_id and item.sku = scan.sku
    left join users decider on decider.id = case when scan.voided_at is null then scan.resolved_by else scan.voided_by end
    left join scan_decisions decision on decision.scan_id = scan.id
    order by scan.device_id, scan.seq`.execute(transaction);
  return rows;
}
