import { listToCountAgain } from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { route } from "../kernel/route.ts";
import { readListToCountAgain } from "./list-to-count-again.ts";
import type { CountAgainServices } from "./services.ts";

/** What is to be counted again, which administrators alone see: counters count blind. */
export function countAgainRoutes(app: FastifyInstance, { database }: CountAgainServices): void {
  route(app, listToCountAgain, async ({ caller, params, query }) =>
    readListToCountAgain(database, caller, params.id, query),
  );
}
