import * as contract from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { createPasswords, logLoginsEnded } from "../auth/auth.ts";
import { route, succeeded } from "../kernel/route.ts";
import {
  type CounterServices,
  createCounter,
  deleteCounter,
  listCounters,
  updateCounter,
} from "./counters.ts";

/** The permanent counter accounts. */
export function userRoutes(app: FastifyInstance, services: CounterServices): void {
  const { database } = services;
  // The administrator alone hashes here, so these passwords need not wait in the line of those who sign in.
  const passwords = createPasswords();

  route(app, contract.listCounters, async ({ query }) => {
    const { items: counters, ...page } = await listCounters(database, query);
    return { counters, ...page };
  });

  route(app, contract.createCounter, async ({ caller, body }) => ({
    counter: await createCounter(database, passwords, caller, body),
  }));

  route(app, contract.updateCounter, async ({ caller, params, body, request }) => {
    const counter = await updateCounter(services, passwords, caller, params.id, body);
    if (body.password !== undefined) logLoginsEnded(request, { userId: counter._id }, "password_changed");
    else if (body.isActive === false) logLoginsEnded(request, { userId: counter._id }, "deactivated");
    return { counter };
  });

  route(app, contract.deleteCounter, async ({ caller, params, request }) => {
    await deleteCounter(services, caller, params.id);
    logLoginsEnded(request, { userId: params.id }, "deleted");
    return succeeded;
  });
}
