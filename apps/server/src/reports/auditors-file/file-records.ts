import { readAll, readLastHash } from "../../audit/audit.ts";
import type { Database, Transaction } from "../../database/pool.ts";
import { presentSession, type SessionRow } from "../../sessions/sessions.ts";
import { type ReportPageRow, readReportPages } from "../export-report.ts";
import { pagesOfScans, type ScanRow } from "../export-scans.ts";
import { readSaid, readSearched, searchStateOf } from "../searched/searched-queries.ts";
import {
  certificatesOf,
  readCounts,
  readFileAreas,
  readFileComparisons,
  readFilePasses,
  readFileSamples,
} from "./file-queries.ts";
import type { FileRecord } from "./linked-lines.ts";

/** What the session is made of, some megabytes at a time at most, as it is at the transaction's moment. */
export async function* readContent(
  transaction: Transaction,
  session: SessionRow,
): AsyncGenerator<FileRecord[]> {
  yield [await describeSession(transaction, session)];
  yield await readFileAreas(transaction, session);
  yield await readFilePasses(transaction, session.id);
  yield await readFileComparisons(transaction, session.id);
  yield await readFileSamples(transaction, session.id);
  yield await readFileSearches(transaction, session);
  for await (const certificate of certificatesOf(transaction, session.id)) yield [certificate];
  for await (const page of await readReportPages(transaction, session, "all")) yield page.map(recordOfRow);
  for await (const page of pagesOfScans(transaction, session.id)) yield page.map(recordOfScan);
}

async function describeSession(transaction: Transaction, session: SessionRow): Promise<FileRecord> {
  const { basis, shopDomain, shopifyLocationId, currency, startSnapshotAt, endSnapshotAt, clockSetAt } =
    session;
  return {
    is: "session",
    ...presentSession(session),
    ...{ basis, shopDomain, shopifyLocationId, currency, startSnapshotAt, endSnapshotAt, clockSetAt },
    /** What the log ended with at the moment that the content is of. */
    auditHash: await readLastHash(transaction, session.id),
  };
}

/** What people were asked to look for, and what they said; the state is that of the SKU's row. */
async function readFileSearches(transaction: Transaction, session: SessionRow): Promise<FileRecord[]> {
  const searched = await readSearched(transaction, session.id);
  const skus = [...searched.keys()].toSorted();
  const counts = await readCounts(transaction, session, skus);
  const saidOf = await readSaid(transaction, session.id, skus);
  return skus.map((sku) => {
    const state = searchStateOf(searched.get(sku), counts.get(sku) ?? null);
    return { is: "search", sku, state, ...saidOf(sku) };
  });
}

function recordOfRow({ item, history, readings }: ReportPageRow): FileRecord {
  return {
    is: "row",
    ...item,
    history,
    readings: readings.map(({ at, ...reading }) => ({ at: new Date(at), ...reading })),
  };
}

/** Why it was dismissed is in the file by its entry of the audit log. */
function recordOfScan({ note: _, ...scan }: ScanRow): FileRecord {
  return { is: "scan", ...scan };
}

/** The session's audit log, oldest entry first, up to the one that tells of the file with the hash. */
export async function* readLogUpTo(
  database: Database,
  sessionId: string,
  hash: string,
): AsyncGenerator<FileRecord> {
  for await (const { id: _, ...entry } of readAll(database, { sessionId })) {
    yield { is: "entry", ...entry };
    if (entry.action === "auditors_file.written" && entry.after?.hash === hash) return;
  }
}
