import {
  endOtherLogins as endOtherLoginsCall,
  endOwnLogin as endOwnLoginCall,
  listLogins,
} from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import type { Database } from "../../database/pool.ts";
import { route, succeeded } from "../../kernel/route.ts";
import { endOtherLogins, endOwnLogin, listOwnLogins } from "./own-logins.ts";

/** One's own logins: seeing them and ending them. */
export function loginRoutes(app: FastifyInstance, { database }: { readonly database: Database }): void {
  route(app, listLogins, async ({ caller }) => ({ logins: await listOwnLogins(database, caller) }));

  route(app, endOwnLoginCall, async ({ caller, params }) => {
    await endOwnLogin(database, caller, params.id);
    return succeeded;
  });

  route(app, endOtherLoginsCall, async ({ caller }) => ({ ended: await endOtherLogins(database, caller) }));
}
