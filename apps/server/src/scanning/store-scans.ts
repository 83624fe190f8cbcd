import { matchProduct } from "@stocktake/contract";
import type { SessionIndex } from "../catalogue/catalogue.ts";
import type { Transaction } from "../database/pool.ts";
import { ApiError, notFound } from "../kernel/api-error.ts";
import type { Caller } from "../kernel/caller.ts";
import { type AreaState, areaMeant, classify, type SessionState } from "./classify.ts";
import { type IncomingScan, misplaced, type ScanOutcome, scannedBy } from "./incoming-scan.ts";
import { insertRound } from "./insert-round.ts";
import type { ScanningServices } from "./services.ts";
import {
  type AreasByPlace,
  beginCounting,
  type ClassifiedScan,
  lastPasses,
  lockAreasOf,
  readSessionForScans,
  usersOfSession,
} from "./storing-queries.ts";

/** What storing a group of scans came to: an outcome for each in their order, and what others are to be told. */
export interface StoredGroup {
  readonly outcomes: readonly ScanOutcome[];
  readonly storeId: string | null;
  /** The scans that were stored now, repeats not among them. */
  readonly stored: readonly ClassifiedScan[];
  readonly startedAreaIds: readonly string[];
}

/** The index in memory is older than the session's catalogue as it stands under the locks. */
interface Behind {
  readonly behind: number;
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
  // Any index will do to begin with: the session says under the locks whether it is behind.
  let version = 0;
  for (;;) {
    const index = await indexAt(context, sessionId, version);
    if (index === null) return nothingStored(scans.map(() => notFound("The session")));
    const result = await context.database
      .transaction()
      .execute((transaction) => storeWith(transaction, sessionId, index, scans));
    if (!("behind" in result)) return result;
    version = result.behind;
  }
}

/** Null for a session that is not there. */
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

function nothingStored(outcomes: readonly ScanOutcome[]): StoredGroup {
  return { outcomes, storeId: null, stored: [], startedAreaIds: [] };
}

async function storeWith(
  transaction: Transaction,
  sessionId: string,
  index: SessionIndex,
  scans: readonly IncomingScan[],
): Promise<StoredGroup | Behind> {
  const areasOf = await lockAreasOf(
    transaction,
    scans.map(({ scan }) => scan),
  );
  const callers = distinctCallers(scans);
  const session = await readSessionForScans(transaction, sessionId, callers);
  if (session === undefined) return nothingStored(scans.map(() => notFound("The session")));
  if (session.catalogueVersion > index.version) return { behind: session.catalogueVersion };
  const admitted = new Set(
    callers.filter((_caller, place) => session.admits[place]).map(({ userId }) => userId),
  );
  const assessor = await makeAssessor(transaction, { session, areasOf, index, scans, admitted });
  const { outcomes, stored } = await storeAssessed(transaction, session, index, scans.map(assessor));
  const started = stored.filter(startsCounting).map(({ area }) => area.id);
  const startedAreaIds = await beginCounting(transaction, [...new Set(started)]);
  return { outcomes, storeId: session.storeId, stored, startedAreaIds };
}

function distinctCallers(scans: readonly IncomingScan[]): Caller[] {
  return [...new Map(scans.map(({ caller }) => [caller.userId, caller])).values()];
}

function startsCounting({ area, classification }: ClassifiedScan): boolean {
  return area.status === "not_started" && classification.status !== "late";
}

interface Assessment {
  readonly session: SessionState;
  readonly areasOf: AreasByPlace;
  readonly index: SessionIndex;
  readonly scans: readonly IncomingScan[];
  /** The users among the callers that may send scans to the session. */
  readonly admitted: ReadonlySet<string>;
}

type Assessed = ClassifiedScan | ScanOutcome;

function isClassified(assessed: Assessed): assessed is ClassifiedScan {
  return "classification" in assessed;
}

/** Reads what the group's scans need besides their areas, then judges each in memory. */
async function makeAssessor(
  transaction: Transaction,
  assessment: Assessment,
): Promise<(incoming: IncomingScan) => Assessed> {
  const { session, areasOf, index, scans, admitted } = assessment;
  const foreign = scans.map(scannedBy).filter((userId, place) => userId !== scans[place]?.caller.userId);
  const users = await usersOfSession(transaction, session.id, [...new Set(foreign)]);
  const passes = await lastPassesIfOver(
    transaction,
    session,
    scans.flatMap(({ scan }) => areasOf(scan)),
  );
  return (incoming) => {
    const { scan, caller } = incoming;
    if (!admitted.has(caller.userId)) return notFound("The session");
    const areas = areasOf(scan).filter((area) => area.storeId === session.storeId);
    const sentPass = scan.pass ?? null;
    const area = areaMeant(areas, sentPass);
    if (scan.storeId !== session.storeId || area === null) return misplaced;
    const scanner = scannedBy(incoming);
    if (scanner !== caller.userId && !users.has(scanner)) {
      return invalid("scannedById", "scannedById must name a user of this session.");
    }
    const match = matchProduct(index.index, scan.input, scan.inputType);
    const lastPass = passes.get(area.id) ?? area.pass;
    return { incoming, area, classification: classify({ session, area, sentPass, lastPass, match }) };
  };
}

async function lastPassesIfOver(
  transaction: Transaction,
  session: SessionState,
  areas: readonly AreaState[],
): Promise<ReadonlyMap<string, number>> {
  if (session.status !== "closed") return new Map();
  return lastPasses(transaction, session.id, [...new Set(areas.map(({ id }) => id))]);
}

function invalid(field: string, message: string): ApiError {
  return new ApiError("VALIDATION", message, { details: [{ field, message }] });
}

async function storeAssessed(
  transaction: Transaction,
  session: SessionState,
  { index }: SessionIndex,
  assessed: readonly Assessed[],
) {
  const outcomes = new Map<ClassifiedScan, ScanOutcome>();
  const stored: ClassifiedScan[] = [];
  let waiting = assessed.filter(isClassified);
  while (waiting.length > 0) {
    const round = await insertRound(transaction, { session, index, scans: waiting });
    stored.push(...round.stored);
    for (const [scan, outcome] of round.settled) outcomes.set(scan, outcome);
    waiting = waiting.filter((scan) => !round.settled.has(scan));
  }
  return {
    outcomes: assessed.map((scan) => (isClassified(scan) ? settledOf(outcomes, scan) : scan)),
    stored,
  };
}

function settledOf(outcomes: ReadonlyMap<ClassifiedScan, ScanOutcome>, scan: ClassifiedScan): ScanOutcome {
  const outcome = outcomes.get(scan);
  if (outcome === undefined) throw new Error("A scan was neither stored nor refused.");
  return outcome;
}
