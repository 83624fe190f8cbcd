import { type AuditEntry, exportAudit, listAudit } from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { readOneMoment } from "../database/one-moment.ts";
import type { Database } from "../database/pool.ts";
import { createExports } from "../kernel/files/exports.ts";
import { route } from "../kernel/route.ts";
import { generalChain } from "./chain.ts";
import { exportAuditCsv } from "./csv.ts";
import { type AuditRow, readEntries, requireSession } from "./queries.ts";

interface AuditServices {
  readonly database: Database;
}

/** Reading the audit log; nothing writes to it but the changes themselves. */
export function auditRoutes(app: FastifyInstance, { database }: AuditServices): void {
  const exports = createExports((read) => readOneMoment(database, read));

  route(app, listAudit, async ({ query }) => {
    await requireSession(database, query);
    const { items, ...page } = await readEntries(database, query, query);
    return { entries: items.map(presentEntry), ...page };
  });

  route(app, exportAudit, async ({ query, request, reply }) => {
    await requireSession(database, query);
    const file = await exportAuditCsv(exports, query, (error) =>
      request.log.info({ err: error }, "An export of the audit log was cut off"),
    );
    return reply
      .type("text/csv; charset=utf-8")
      .header("content-disposition", 'attachment; filename="audit-log.csv"')
      .send(file);
  });
}

function presentEntry(row: AuditRow): AuditEntry {
  return {
    _id: String(row.id),
    sessionId: row.chain === generalChain ? null : row.chain,
    position: row.position,
    at: row.at.toISOString(),
    actor: { kind: row.actorKind, _id: row.actorId, name: row.actorName },
    action: row.action,
    subject: { kind: row.subjectKind, _id: row.subjectId, name: row.subjectName },
    before: row.before === null ? null : { ...row.before },
    after: row.after === null ? null : { ...row.after },
    previousHash: row.previousHash,
    hash: row.hash,
  };
}
