import {
  endOtherLogins as endOtherLoginsCall,
  endOwnLogin as endOwnLoginCall,
  listLogins,
} from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import type { Database } from "../../database/pool.ts";
import { route, succeeded } from "../../kernel/route.ts";
import { logLoginsEnded } from "../sign-in-trace.ts";
import { endOtherLogins, endOwnLogin, listOwnLogins } from "./own-logins.ts";

/** One's own logins: seeing them and ending them. */
export function loginRoutes(app: FastifyInstance, { database }: { readonly database: Database }): void {
  route(app, listLogins, async ({ caller }) => ({ logins: await listOwnLogins(database, caller) }));

  route(app, endOwnLoginCall, async ({ caller, params, request }) => {
    await endOwnLogin(database, caller, params.id);
    logLoginsEnded(request, caller, "ended_by_owner");
    return succeeded;
  });

  route(app, endOtherLoginsCall, async ({ caller, request }) => {
    const ended = await endOtherLogins(database, caller);
    if (ended > 0) logLoginsEnded(request, caller, "ended_by_owner");
    return { ended };
  });
}
