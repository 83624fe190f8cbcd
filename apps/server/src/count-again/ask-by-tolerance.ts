import { groupBy } from "@stocktake/contract";
import { readAtOneMoment } from "../reports/reports.ts";
import { type AreaBeyond, askByTolerance } from "../scanning/scanning.ts";
import { judgedSoFar, limitsExceeded } from "./beyond-tolerance.ts";
import { readUnsettled } from "./list-to-count-again.ts";
import { readListedAreas, type Session } from "./material-queries.ts";
import type { CountAgainServices } from "./services.ts";
import { findJudgedSessions, hasJustClosed, readHeldTolerance } from "./tolerance-queries.ts";

/**
 * Asks for a second count of each closed area in which a SKU beyond tolerance was counted, unless one of its pass was asked for
 * before, whatever became of it: what an administrator has cancelled is not asked for again. Of all sessions that count, or of one.
 */
export async function applyTolerances(
  services: CountAgainServices,
  sessionId: string | null = null,
): Promise<void> {
  const { database, logger } = services;
  for (const session of await findJudgedSessions(database, sessionId)) {
    try {
      for (const area of await readAreasBeyond(services, session)) await askByTolerance(services, area);
    } catch (error) {
      logger.warn(
        { err: error, session: session.id },
        "The tolerance of a session could not be applied; it is tried again within a minute",
      );
    }
  }
}

function readAreasBeyond({ database }: CountAgainServices, session: Session): Promise<readonly AreaBeyond[]> {
  return readAtOneMoment(database, async (transaction) => {
    const held = await readHeldTolerance(transaction, session);
    if (held === null) return [];
    const areas = await readListedAreas(transaction, session);
    const tolerance = judgedSoFar(held, session, areas);
    const skus = await readUnsettled(transaction, session);
    const beyond = skus.filter((sku) => limitsExceeded(tolerance, sku).length > 0);
    const byArea = groupBy(
      beyond.flatMap(({ places }) => places),
      ({ areaId }) => areaId,
    );
    return areas.flatMap(({ id, closed, asked, pass }) => {
      const places = byArea.get(id);
      if (places === undefined || !closed || asked || pass === null) return [];
      const skusBeyond = places.map(({ sku }) => sku).toSorted();
      return [{ sessionId: session.id, storeId: session.storeId, areaId: id, pass, skus: skusBeyond }];
    });
  });
}

/**
 * Applies a session's tolerance as soon as an area of it closes, on whatever node; what is missed is done within a minute by the clock.
 * The returned function ends it.
 */
export function followClosings(services: CountAgainServices): () => Promise<void> {
  const { database, events, logger } = services;
  const waiting = new Set<string>();
  let work: Promise<void> | null = null;
  const applyNext = async (): Promise<void> => {
    for (const sessionId of waiting) {
      waiting.delete(sessionId);
      if (await hasJustClosed(database, sessionId)) await applyTolerances(services, sessionId);
    }
  };
  const unsubscribe = events.subscribe(({ type, sessionId }) => {
    if (type !== "area" || sessionId === undefined) return;
    waiting.add(sessionId);
    work ??= applyNext()
      .catch((error: unknown) => logger.warn({ err: error }, "A closed area could not be judged yet"))
      .finally(() => {
        work = null;
      });
  });
  return async () => {
    unsubscribe();
    waiting.clear();
    await work;
  };
}
