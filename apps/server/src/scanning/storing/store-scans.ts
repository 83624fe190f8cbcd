import type { SessionIndex } from "../../catalogue/catalogue.ts";
import type { Transaction } from "../../database/pool.ts";
import { ApiError, notFound } from "../../kernel/api-error.ts";
import { markAttemptsInProgress, markInProgress } from "../../passes/passes.ts";
import type { ScanningServices } from "../services.ts";
import { openTags } from "../tags/settle-tags.ts";
import type { IncomingScan, ScanOutcome } from "./incoming-scan.ts";
import { insertRound, settleRepeats } from "./insert-round.ts";
import { type Interpretation, interpretScans, isClassified } from "./interpret.ts";
import { type ClassifiedScan, lockAreasOf, readSessionForScans, type SessionState } from "./queries.ts";
import { openRoom, tooManyUnresolved } from "./unresolved-room.ts";

/** What storing a group of scans came to: an outcome for each in their order, and what changed for others. */
interface StoredGroup {
  readonly outcomes: readonly ScanOutcome[];
  readonly storeId: string | null;
  /** The scans that were stored now, repeats not among them. */
  readonly stored: readonly ClassifiedScan[];
  readonly startedAreaIds: readonly string[];
}

/** The index in memory is older than the session's catalogue, as read under the locks. */
interface StaleIndex {
  readonly requiredVersion: number;
}

/**
 * Stores scans of one session, each on its own, in one transaction: durable when this resolves. What a scan becomes is
 * decided while its area is locked, so that no scan slips between an area's total and its closing.
 */
export async function storeScans(
  context: Pick<ScanningServices, "database" | "catalogue">,
  sessionId: string,
  scans: readonly IncomingScan[],
): Promise<StoredGroup> {
  // Any index will do at first: whether it is stale is read under the locks.
  let version = 0;
  for (;;) {
    const index = await indexAt(context, sessionId, version);
    if (index === null) return nothingStored(scans);
    const result = await context.database
      .transaction()
      .execute((transaction) => storeWith(transaction, sessionId, index, scans));
    if (!("requiredVersion" in result)) return result;
    version = result.requiredVersion;
  }
}

/** Null for a session that does not exist. */
async function indexAt(
  { catalogue }: Pick<ScanningServices, "catalogue">,
  sessionId: string,
  version: number,
): Promise<SessionIndex | null> {
  try {
    return await catalogue.sessionIndex(sessionId, version);
  } catch (error) {
    if (error instanceof ApiError && error.code === "NOT_FOUND") return null;
    throw error;
  }
}

function nothingStored(scans: readonly IncomingScan[]): StoredGroup {
  return {
    outcomes: scans.map(() => notFound("The session")),
    storeId: null,
    stored: [],
    startedAreaIds: [],
  };
}

async function storeWith(
  transaction: Transaction,
  sessionId: string,
  index: SessionIndex,
  scans: readonly IncomingScan[],
): Promise<StoredGroup | StaleIndex> {
  const areasOf = await lockAreasOf(transaction, scans);
  const session = await readSessionForScans(
    transaction,
    sessionId,
    scans.map(({ sentBy }) => sentBy),
  );
  if (session === undefined) return nothingStored(scans);
  if (session.catalogueVersion > index.version) return { requiredVersion: session.catalogueVersion };
  const meant = await interpretScans(transaction, { session, areasOf, index, scans });
  const settled = await settleInOrder(transaction, session, index, meant);
  const { outcomes, stored } = await storeSettled(transaction, session, index, settled);
  const started = stored.filter(startsCounting).map(({ area }) => area.id);
  const compared = stored
    .filter(({ classification }) => classification.isCompared)
    .map(({ area }) => area.id);
  const startedAreaIds = [
    ...(await markInProgress(transaction, [...new Set(started)])),
    ...(await markAttemptsInProgress(transaction, session.id, [...new Set(compared)])),
  ];
  return { outcomes, storeId: session.storeId, stored, startedAreaIds };
}

function startsCounting({ area, classification }: ClassifiedScan): boolean {
  return area.status === "not_started" && classification.status !== "late";
}

interface SettledGroup {
  readonly interpretations: readonly Interpretation[];
  /** Those of them that there is no room for. */
  readonly refused: ReadonlySet<ClassifiedScan>;
}

/** Decides which read of a tag counts and what there is room for, scan by scan: a read that is refused counts as nothing. */
async function settleInOrder(
  transaction: Transaction,
  session: SessionState,
  { index }: SessionIndex,
  meant: readonly Interpretation[],
): Promise<SettledGroup> {
  const tags = await openTags(transaction, { session, index, interpretations: meant });
  const reserveRoom = await openRoom(transaction, { session, index, scans: meant.filter(isClassified) });
  const refused = new Set<ClassifiedScan>();
  const interpretations = meant.map((scan) => {
    const settled = isClassified(scan) ? tags.settle(scan) : scan;
    if (!isClassified(settled)) return settled;
    if (reserveRoom(settled)) tags.keep(settled);
    else refused.add(settled);
    return settled;
  });
  return { interpretations, refused };
}

async function storeSettled(
  transaction: Transaction,
  session: SessionState,
  { index }: SessionIndex,
  { interpretations, refused }: SettledGroup,
) {
  const outcomes = new Map<ClassifiedScan, ScanOutcome>();
  const stored: ClassifiedScan[] = [];
  const scans = interpretations.filter(isClassified);
  let waiting = scans.filter((scan) => !refused.has(scan));
  while (waiting.length > 0) {
    const round = await insertRound(transaction, { session, index, scans: waiting });
    // A unique key was broken that no repeat breaks: the next round would come to the same.
    if (round.settled.size === 0) throw new Error("Scans were neither stored nor found to be repeats.");
    stored.push(...round.stored);
    for (const [scan, outcome] of round.settled) outcomes.set(scan, outcome);
    waiting = waiting.filter((scan) => !round.settled.has(scan));
  }
  // Of one that came twice in this group the first may have found room: then the second is its repeat.
  const repeats = await settleRepeats(transaction, { session, index, scans }, [...refused]);
  const noRoom = tooManyUnresolved();
  for (const scan of refused) outcomes.set(scan, repeats.get(scan) ?? noRoom);
  return {
    outcomes: interpretations.map((scan) => (isClassified(scan) ? settledOf(outcomes, scan) : scan)),
    stored,
  };
}

function settledOf(outcomes: ReadonlyMap<ClassifiedScan, ScanOutcome>, scan: ClassifiedScan): ScanOutcome {
  const outcome = outcomes.get(scan);
  if (outcome === undefined) throw new Error("A scan was neither stored nor refused.");
  return outcome;
}
