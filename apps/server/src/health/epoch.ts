import type { FastifyInstance } from "fastify";
import type { Database } from "../database/pool.ts";
import { epochHeader } from "../kernel/epoch-header.ts";

/**
 * Names the installation's epoch on every answer under /api, so that a device learns of a restore from whatever it asks.
 * Read once: a restore needs an empty database, so the one that a server has begun on keeps its epoch.
 */
export async function nameEpoch(app: FastifyInstance, database: Database): Promise<void> {
  const { epoch } = await database.selectFrom("installation").select("epoch").executeTakeFirstOrThrow();
  app.addHook("onRequest", ({ url }, reply, done) => {
    if (url.startsWith("/api/")) reply.header(epochHeader, epoch);
    done();
  });
}
