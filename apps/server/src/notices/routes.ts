import * as contract from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import type { Database } from "../database/pool.ts";
import { route, succeeded } from "../kernel/route.ts";
import { dismissNotice, listNotices } from "./list-notices.ts";
import { listWork } from "./list-work.ts";

interface NoticeServices {
  readonly database: Database;
}

/** What the administrator's dashboard warns of. */
export function noticeRoutes(app: FastifyInstance, { database }: NoticeServices): void {
  route(app, contract.listNotices, async () => ({
    ...(await listNotices(database)),
    ...(await listWork(database)),
  }));

  route(app, contract.dismissNotice, async ({ params }) => {
    await dismissNotice(database, params.id);
    return succeeded;
  });
}
