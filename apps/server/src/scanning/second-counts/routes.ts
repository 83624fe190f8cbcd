import {
  askSecondCount,
  askSecondCounts,
  cancelSecondCount,
  countDifferences,
  secondCounts,
  settleDifference,
} from "@stocktake/contract";
import type { FastifyInstance } from "fastify";
import { route, succeeded } from "../../kernel/route.ts";
import { requireSession } from "../exceptions/session-queries.ts";
import type { ScanningServices } from "../services.ts";
import { ask } from "./ask.ts";
import { askOfSkus } from "./ask-of-skus.ts";
import { cancel } from "./cancel.ts";
import { listDifferences } from "./differences.ts";
import { listSecondCounts } from "./second-count-queries.ts";
import { settleByChoice } from "./settle-difference.ts";

/** Second counts: what an administrator asks for, sees and decides. They are counted by the calls of any count. */
export function secondCountRoutes(app: FastifyInstance, context: ScanningServices): void {
  const { database } = context;

  route(app, askSecondCount, async ({ caller, body }) => ({
    secondCount: await ask(context, caller, body),
  }));

  route(app, askSecondCounts, ({ caller, params, body }) => askOfSkus(context, caller, params.id, body.skus));

  route(app, cancelSecondCount, async ({ caller, body }) => {
    await cancel(context, caller, body.areaId);
    return succeeded;
  });

  route(app, secondCounts, async ({ params, query }) => {
    await requireSession(database, params.id);
    const { items, ...page } = await listSecondCounts(database, params.id, query);
    return { secondCounts: items, ...page };
  });

  route(app, countDifferences, async ({ params, query }) => {
    await requireSession(database, params.id);
    const { items: differences, ...page } = await listDifferences(database, params.id, query);
    return { differences, ...page };
  });

  route(app, settleDifference, async ({ caller, params, body }) => {
    await settleByChoice(context, caller, params.id, body);
    return succeeded;
  });
}
