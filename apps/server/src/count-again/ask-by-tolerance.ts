import { groupBy } from "@stocktake/contract";
import { readAtOneMoment } from "../reports/reports.ts";
import { type AreaBeyond, askByTolerance } from "../scanning/scanning.ts";
import { limitsExceeded, toleranceSoFar } from "./beyond-tolerance.ts";
import {
  type CountedInArea,
  type ListedArea,
  readCountedDifferences,
  readListedAreas,
  type Session,
} from "./material-queries.ts";
import type { CountAgainServices } from "./services.ts";
import { findSessionsWithTolerance, readHeldTolerance, readLastClosing } from "./tolerance-queries.ts";
import { withAreas } from "./with-areas.ts";

/**
 * Asks for second counts of the SKUs beyond tolerance in each closed area in which they were counted, unless a second count of its
 * pass was of them before, whatever became of it: what an administrator has cancelled is not asked for again. Of all sessions that
 * count, or of one.
 */
export async function applyTolerances(
  services: CountAgainServices,
  sessionId: string | null = null,
): Promise<void> {
  for (const session of await findSessionsWithTolerance(services.database, sessionId)) {
    const areas = await orLater(services, session.id, () => readAreasBeyond(services, session));
    for (const area of areas ?? []) await orLater(services, session.id, () => askByTolerance(services, area));
  }
}

/** What fails keeps nothing else from being done: the clock tries it again. */
async function orLater<Done>(
  { logger }: Pick<CountAgainServices, "logger">,
  session: string,
  work: () => Promise<Done>,
): Promise<Done | undefined> {
  try {
    return await work();
  } catch (err) {
    const message = "A session's tolerance could not be applied; it is tried again within a minute";
    logger.warn({ err, session }, message);
    return undefined;
  }
}

function readAreasBeyond({ database }: CountAgainServices, session: Session): Promise<readonly AreaBeyond[]> {
  return readAtOneMoment(database, async (transaction) => {
    const held = await readHeldTolerance(transaction, session);
    if (held === null) return [];
    const areas = await readListedAreas(transaction, session);
    const tolerance = toleranceSoFar(held, session, areas);
    const skus = await readCountedDifferences(transaction, session);
    const exceeding = skus.filter((sku) => limitsExceeded(tolerance, sku).length > 0);
    const beyond = await withAreas(transaction, session, exceeding);
    const byArea = groupBy(
      beyond.flatMap(({ places }) => places),
      ({ areaId }) => areaId,
    );
    return areas.flatMap((area): AreaBeyond[] => {
      const skus = skusToAsk(area, byArea.get(area.id) ?? []);
      if (skus.length === 0 || area.pass === null) return [];
      return [{ sessionId: session.id, storeId: session.storeId, areaId: area.id, pass: area.pass, skus }];
    });
  });
}

/** As far as can be seen without holding the area: so that an area where nothing is left to ask for is not held every minute. */
function skusToAsk(
  { closed, secondCount, askedWhole, askedOf }: ListedArea,
  beyond: readonly CountedInArea[],
): readonly string[] {
  if (!closed || askedWhole || secondCount === "open" || beyond.length === 0) return [];
  const before = new Set(askedOf);
  return beyond.flatMap(({ sku }) => (before.has(sku) ? [] : [sku])).toSorted();
}

/**
 * Applies a session's tolerance as soon as an area of it closes, on whatever node; what is missed is done within a minute by the clock.
 * The returned function ends it.
 */
export function followClosings(services: CountAgainServices): () => Promise<void> {
  const waiting = new Set<string>();
  /** Up to which closing each session was judged: most events of areas are about something else. */
  const judged = new Map<string, number>();
  let work: Promise<void> | null = null;
  const applyIfClosed = async (sessionId: string): Promise<void> => {
    const closing = await readLastClosing(services.database, sessionId);
    if (closing === null || closing <= (judged.get(sessionId) ?? 0)) return;
    judged.set(sessionId, closing);
    await applyTolerances(services, sessionId);
  };
  const applyWaiting = async (): Promise<void> => {
    for (const sessionId of waiting) {
      waiting.delete(sessionId);
      await orLater(services, sessionId, () => applyIfClosed(sessionId));
    }
  };
  const begin = (): void => {
    work ??= applyWaiting().finally(() => {
      work = null;
      // What came after the last one was taken found the work still going on.
      if (waiting.size > 0) begin();
    });
  };
  const unsubscribe = services.events.subscribe(({ type, sessionId }) => {
    if (type !== "area" || sessionId === undefined) return;
    waiting.add(sessionId);
    begin();
  });
  return async () => {
    unsubscribe();
    waiting.clear();
    await work;
  };
}
