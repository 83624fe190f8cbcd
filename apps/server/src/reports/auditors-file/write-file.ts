import { Readable } from "node:stream";
import { actorOf, recordAudit, sessionSubject } from "../../audit/audit.ts";
import type { Database, Transaction } from "../../database/pool.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import type { Exports } from "../../kernel/files/exports.ts";
import type { SessionRow } from "../../sessions/sessions.ts";
import { findEndedSession } from "../ended-session.ts";
import type { ReportServices } from "../services.ts";
import { readContent, readLogUpTo } from "./file-records.ts";
import { LinkedLines } from "./linked-lines.ts";

/**
 * An ended session as an auditor's file, while it is read: its content, each line linked to the one before, and then the audit
 * log, whose last entry holds the hash of the content (docs/AUDITORS-FILE.md). A file that breaks off in its content is recorded nowhere.
 * @throws ApiError NOT_FOUND, SESSION_ACTIVE, OVERLOADED.
 */
export function writeFile(
  services: ReportServices,
  exports: Exports,
  caller: AdminCaller,
  sessionId: string,
): Promise<Readable> {
  return exports(async (transaction) => {
    const session = await findEndedSession(transaction, caller, sessionId);
    return Readable.from(linesOf(services, caller, { transaction, session }), { objectMode: false });
  });
}

interface Read {
  readonly transaction: Transaction;
  readonly session: SessionRow;
}

async function* linesOf(
  { database, events }: ReportServices,
  caller: AdminCaller,
  { transaction, session }: Read,
): AsyncGenerator<string> {
  const lines = new LinkedLines();
  for await (const records of readContent(transaction, session)) {
    if (records.length > 0) yield lines.textOf(records);
  }
  const { hash, count } = lines;
  await recordFile(database, caller, session.id, { hash, lines: count });
  events.publish({ type: "adjustment", sessionId: session.id });
  for await (const entry of readLogUpTo(database, session.id, hash)) yield lines.textOf([entry]);
}

/** In a transaction of its own: whoever reads the file slowly must not hold up changes of the session. */
async function recordFile(
  database: Database,
  caller: AdminCaller,
  sessionId: string,
  after: { readonly hash: string; readonly lines: number },
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await recordAudit(transaction, {
      sessionId,
      actor: actorOf(caller),
      action: "auditors_file.written",
      subject: await sessionSubject(transaction, sessionId),
      before: null,
      after,
    });
  });
}
