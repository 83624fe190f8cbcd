import { pipeline, Readable } from "node:stream";
import { exportAudit, listAudit } from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import type { Database } from "../database/pool.ts";
import { route } from "../kernel/route.ts";
import { auditCsv, auditLines } from "./csv.ts";
import { presentEntry } from "./present.ts";
import { readAll, readBefore, requireSession } from "./queries.ts";

const usualPage = 50;

interface AuditServices {
  readonly database: Database;
}

/** Reading the audit log; nothing writes to it but the changes themselves. */
export function auditRoutes(app: FastifyInstance, { database }: AuditServices): void {
  route(app, listAudit, async ({ query }) => {
    await requireSession(database, query);
    const { cursor, limit = usualPage } = query;
    const rows = await readBefore(database, query, cursor, limit + 1);
    const entries = rows.slice(0, limit).map(presentEntry);
    return { entries, next: rows.length > limit ? (entries.at(-1)?._id ?? null) : null };
  });

  route(app, exportAudit, async ({ query, request, reply }) => {
    await requireSession(database, query);
    const lines = Readable.from(auditLines(readAll(database, query)));
    const file = pipeline(lines, auditCsv(), (error) => {
      if (error) request.log.info({ err: error }, "An export of the audit log was cut off");
    });
    return reply
      .type("text/csv; charset=utf-8")
      .header("content-disposition", 'attachment; filename="audit-log.csv"')
      .send(file);
  });
}
