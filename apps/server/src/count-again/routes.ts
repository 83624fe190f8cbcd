import {
  listCountedAreas,
  listToCountAgain,
  sessionTolerance,
  setSessionTolerance,
  setStoreTolerance,
  storeTolerance,
} from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { route } from "../kernel/route.ts";
import { readCountedAreas } from "./counted-areas.ts";
import { readListToCountAgain } from "./list-to-count-again.ts";
import {
  changeSessionTolerance,
  changeStoreTolerance,
  readSessionTolerance,
  readStoreTolerance,
} from "./manage-tolerances.ts";
import type { CountAgainServices } from "./services.ts";

/** What is to be counted again, and the tolerances, which administrators alone see: counters count blind. */
export function countAgainRoutes(app: FastifyInstance, services: CountAgainServices): void {
  route(app, listToCountAgain, async ({ caller, params, query }) =>
    readListToCountAgain(services.database, caller, params.id, query),
  );

  route(app, listCountedAreas, async ({ caller, params }) => ({
    areas: await readCountedAreas(services.database, caller, params.id),
  }));

  route(app, storeTolerance, async ({ caller, params }) => ({
    tolerance: await readStoreTolerance(services, caller, params.id),
  }));

  route(app, setStoreTolerance, async ({ caller, params, body }) => {
    await changeStoreTolerance(services, caller, params.id, body);
    return { tolerance: body.tolerance };
  });

  route(app, sessionTolerance, async ({ caller, params }) =>
    readSessionTolerance(services, caller, params.id),
  );

  route(app, setSessionTolerance, async ({ caller, params, body }) => {
    await changeSessionTolerance(services, caller, params.id, body);
    return { tolerance: body.tolerance };
  });
}
