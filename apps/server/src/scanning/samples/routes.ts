import { controlSamples, drawSample, sampledAreas, voidSample } from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { route, succeeded } from "../../kernel/route.ts";
import { requireSession } from "../exceptions/session-queries.ts";
import type { ScanningServices } from "../services.ts";
import { draw } from "./draw.ts";
import { listSampledAreas, listSamples } from "./list-samples.ts";
import { declareVoid } from "./void-sample.ts";

/** Control samples: drawn and watched by an administrator, counted by the calls of any count. */
export function sampleRoutes(app: FastifyInstance, context: ScanningServices): void {
  const { database } = context;

  route(app, controlSamples, async ({ params, query }) => {
    await requireSession(database, params.id);
    return listSamples(database, params.id, query);
  });

  route(app, sampledAreas, async ({ params, query }) => {
    await requireSession(database, params.id);
    return listSampledAreas(database, params, query);
  });

  route(app, drawSample, async ({ caller, params, body }) => ({
    sample: await draw(context, caller, params.id, body),
  }));

  route(app, voidSample, async ({ caller, params, body }) => {
    await declareVoid(context, caller, params.id, body);
    return succeeded;
  });
}
