import assert from "node:assert/strict";
import {
  type Area,
  areaScans,
  countDifferences,
  decideExceptions,
  finishArea,
  issueCertificate,
  listAreasOfLocation,
  listBeyondTolerance,
  listCertificates,
  listLocations,
  readCoverage,
  type SecondCount,
  secondCounts,
  sessionExceptions,
  stateAreas,
  stateBeyondTolerance,
} from "@stocktake/contract";
import * as z from "zod/mini";
import type { RunningCount } from "../running-count.ts";

/** An area as other calls than those of coverage show it. */
export interface Found {
  readonly area: Area;
  readonly units: number;
  readonly unresolved: number;
  readonly attempts: readonly SecondCount[];
}

/** What was said of areas, by their ids. */
type Statements = Readonly<Record<"void" | "empty" | "without_second_count", ReadonlySet<string>>>;

const nothingSaid: Statements = { void: new Set(), empty: new Set(), without_second_count: new Set() };

export interface CoverageOfTrial {
  readonly count: RunningCount;
  /** Whether a second count that was closed has no scan at all. */
  readonly foundNothing: (attempt: SecondCount) => boolean;
  /** Areas that were deleted after the end, as they were then: they are of the session still. */
  readonly deletedSince: readonly Found[];
}

/** Closes every area that is still open with what is counted in it, so that something may come of a certificate. */
export async function finishAll(count: RunningCount): Promise<void> {
  for (const { area, units } of await findAreas(count)) {
    if (area.status === "closed") continue;
    const body = { sessionId: count.sessionId, areaCode: area.code, locationId: area.locationId };
    await count.admin.call(finishArea, { body: { ...body, declaredTotal: units, deviceId: "desk" } });
  }
}

/**
 * The certificate of an ended session whose phones have all emptied their queues: it is issued exactly where nothing is open, as it was left and
 * once everything is worked off that can be. `counted`: the units of the report. Resolves to whether one was issued.
 */
export async function checkCoverage(trial: CoverageOfTrial, counted: number): Promise<boolean> {
  if (await requireIssuedIfDone(trial, nothingSaid, counted)) return true;
  return requireIssuedIfDone(trial, await workOff(trial), counted);
}

async function requireIssuedIfDone(
  trial: CoverageOfTrial,
  said: Statements,
  counted: number,
): Promise<boolean> {
  const { admin, sessionId } = trial.count;
  const params = { id: sessionId };
  const { open: known, furtherOpen = [], canIssue } = await admin.call(readCoverage, { params });
  const open = [...known, ...furtherOpen];
  const named = Object.fromEntries(open.map((each) => [each.kind, each.count]));
  assert.deepEqual(named, await openByOtherCalls(trial, said), "what is open");
  const isDone = open.length === 0;
  assert.equal(canIssue, isDone, "whether a certificate can be issued");
  const issued = await admin.attempt(issueCertificate, { params });
  assert.deepEqual(
    [issued.status, issued.ok ? issued.body.certificate.valid : issued.body.code],
    isDone ? [201, true] : [409, "COVERAGE_OPEN"],
  );
  if (isDone) await requireUnits(trial.count, counted);
  return isDone;
}

const Text = z.object({ figures: z.object({ unitsCounted: z.int() }) });

/** The certificate says how much the report counts. */
async function requireUnits({ admin, sessionId }: RunningCount, counted: number): Promise<void> {
  const { certificates } = await admin.call(listCertificates, { params: { id: sessionId } });
  const { figures } = Text.parse(JSON.parse(certificates[0]?.text ?? ""));
  assert.equal(figures.unitsCounted, counted, "the units of the certificate");
}

export async function findAreas({ admin, sessionId, storeId }: RunningCount): Promise<Found[]> {
  const { locations } = await admin.call(listLocations, { query: { storeId } });
  const listed = await admin.call(secondCounts, { params: { id: sessionId } });
  const found: Found[] = [];
  for (const { _id: locationId } of locations) {
    const { areas } = await admin.call(listAreasOfLocation, { params: { locationId } });
    for (const area of areas) {
      const params = { sessionId, areaCode: area.code };
      const { scans, unresolved = [] } = await admin.call(areaScans, { params, query: { locationId } });
      const attempts = listed.secondCounts.filter(
        (attempt) => attempt.area._id === area._id && attempt.ofPass === area.pass,
      );
      const units = scans.reduce((sum, { quantity = 1 }) => sum + quantity, 0);
      found.push({ area, units, unresolved: unresolved.length, attempts });
    }
  }
  return found;
}

const isNotCounted = ({ area }: Found, said: Statements) =>
  area.status !== "closed" && !said.void.has(area._id);

/** A count of some SKUs alone, which finds none of them, says nothing of the rest of the area. */
const isEmptyOnce = (
  { area, units, attempts }: Found,
  said: Statements,
  foundNothing: CoverageOfTrial["foundNothing"],
) =>
  area.status === "closed" &&
  units === 0 &&
  !said.empty.has(area._id) &&
  !attempts.some(
    (attempt) => attempt.endedAs === "closed" && attempt.only === undefined && foundNothing(attempt),
  );

/** Those of a control sample are not owed: the sample says that it is void. */
function owesCount({ area, attempts }: Found, said: Statements): boolean {
  const last = attempts.at(-1);
  const isCutOff = last?.endedAs === "session_ended" && last.round === 2 && last.origin !== "sample";
  return isCutOff && !said.without_second_count.has(area._id);
}

async function openByOtherCalls(
  { count, foundNothing, deletedSince }: CoverageOfTrial,
  said: Statements,
): Promise<Record<string, number>> {
  const { admin, sessionId } = count;
  const params = { id: sessionId };
  const areas = [...(await findAreas(count)), ...deletedSince];
  const { open: differences } = await admin.call(countDifferences, { params });
  const { scans } = await admin.call(sessionExceptions, { params });
  const { total: beyond = 0 } = await admin.call(listBeyondTolerance, { params });
  // Every phone has said what it held and has sent it; nobody printed sheets, and the end leaves no second count or sample open.
  const kinds = {
    areas: areas.filter((found) => isNotCounted(found, said)).length,
    empty_areas: areas.filter((found) => isEmptyOnce(found, said, foundNothing)).length,
    cut_off_counts: areas.filter((found) => owesCount(found, said)).length,
    differences,
    beyond_tolerance: beyond,
    exceptions: scans.length,
  };
  return Object.fromEntries(Object.entries(kinds).filter(([, each]) => each > 0));
}

/** Dismisses what waits, chooses where counts differ, does without what is owed, and says what can be said of areas. */
async function workOff({ count, foundNothing, deletedSince }: CoverageOfTrial): Promise<Statements> {
  const { admin, sessionId } = count;
  const params = { id: sessionId };
  const { scans } = await admin.call(sessionExceptions, { params });
  if (scans.length > 0) {
    const body = { action: "dismiss" as const, scanIds: scans.map(({ _id }) => _id), reason: "Not ours" };
    await admin.call(decideExceptions, { params, body });
  }
  const without = { stated: true, reason: "Looked at it" };
  await admin.call(stateBeyondTolerance, { params, body: without });
  const areas = [...(await findAreas(count)), ...deletedSince];
  const those = (is: (found: Found) => boolean) => areas.filter(is).map(({ area }) => area._id);
  const isBare = ({ units, unresolved }: Found) => units === 0 && unresolved === 0;
  const said = {
    void: those((found) => isNotCounted(found, nothingSaid) && isBare(found)),
    empty: those((found) => isEmptyOnce(found, nothingSaid, foundNothing)),
    without_second_count: those((found) => owesCount(found, nothingSaid)),
  };
  for (const as of ["void", "empty", "without_second_count"] as const) {
    if (said[as].length === 0) continue;
    const body = { areaIds: said[as], as, stated: true, reason: "Looked at it" };
    await admin.call(stateAreas, { params, body });
  }
  return {
    void: new Set(said.void),
    empty: new Set(said.empty),
    without_second_count: new Set(said.without_second_count),
  };
}
