import assert from "node:assert/strict";
import {
  type AreaScan,
  areaScans,
  type CallAnswer,
  postScanBatch,
  resolveScan,
  type ScanAnswer,
  type SecondCount,
  sessionExceptions,
  varianceReport,
} from "@stocktake/contract";
import {
  isCountedHere,
  type PendingScan,
  unitsOfScan,
} from "../../../apps/web/src/offline/database/records.ts";
import { scanPayload } from "../../../apps/web/src/offline/sync/send-scans.ts";
import type { RunningCount } from "../running-count.ts";
import { checkCoverage } from "./coverage.ts";
import type { CrewMember } from "./crew.ts";
import type { Trial } from "./trial.ts";
import type { FuzzArea, Walk } from "./walk.ts";

/** A scan as one phone has it, and what the server returns when it is sent again. */
export interface StoredScan {
  readonly row: PendingScan;
  readonly answer: ScanAnswer;
}

const scansPerCall = 500;
const acceptedAtMost = 5;

async function rowsOf(member: CrewMember): Promise<PendingScan[]> {
  const rows = await member.phone.device.database.getAll("pendingScans");
  return rows.map((row) => ({ ...row, id: row.id ?? 0 }));
}

/** How the server stored scans that were made: sending them again returns that and changes nothing. */
async function resend({ admin }: RunningCount, rows: readonly PendingScan[]): Promise<StoredScan[]> {
  const results: CallAnswer<typeof postScanBatch>["results"] = [];
  for (let from = 0; from < rows.length; from += scansPerCall) {
    const scans = rows.slice(from, from + scansPerCall).map((scan) => scanPayload(scan, null));
    results.push(...(await admin.call(postScanBatch, { body: { scans } })).results);
  }
  return rows.map((row, index) => {
    const answer = results[index];
    assert.ok(answer !== undefined && "status" in answer, `refused: ${JSON.stringify({ row, answer })}`);
    assert.ok(answer.duplicate, `the server did not have ${JSON.stringify(row)}`);
    return { row, answer };
  });
}

/** What the server lists as counted in an area. */
async function listOf({ admin }: RunningCount, { area }: FuzzArea) {
  const params = { sessionId: area.sessionId, areaCode: area.areaCode };
  return admin.call(areaScans, { params, query: { locationId: area.locationId } });
}

function idsOf(stored: readonly StoredScan[]): string[] {
  return [...new Set(stored.map(({ answer }) => answer.scan._id))].sort();
}

const idOf = ({ _id }: AreaScan) => _id;

/** S1, S4: every scan that a phone made is on the server once, and nothing else is. */
function checkComplete(stored: readonly StoredScan[], made: readonly PendingScan[]): void {
  const asked = new Set(stored.map(({ row }) => row.opId));
  assert.deepEqual([...asked].sort(), made.map(({ opId }) => opId).sort());
  assert.equal(idsOf(stored).length, asked.size, "two operation ids share a scan");
  for (const { row, answer } of stored) {
    assert.equal(answer.scan.seq, row.seq, `${row.opId} has another number than on the phone`);
  }
}

/** S22: what was acknowledged to phones is what the server counts in the area's pass, no more and no less. */
function checkAcknowledged(
  stored: readonly StoredScan[],
  { scans, pass }: { readonly scans: readonly AreaScan[]; readonly pass: number },
  fuzzArea: FuzzArea,
  isCountedAgain: boolean,
): void {
  const { areaId, areaCode } = fuzzArea.area;
  const here = stored.filter(({ row }) => row.areaId === areaId);
  const counted = here.filter(({ answer }) => answer.status === "counted" && answer.scan.pass === pass);
  const listed = scans.map(idOf).sort();
  if (isCountedAgain) {
    // What another count has taken the place of was counted to its phone all the same, which is not told of it.
    const known = new Set(idsOf(counted));
    assert.ok(
      listed.every((id) => known.has(id)),
      `${areaCode}: listed, and not resent`,
    );
    return;
  }
  assert.deepEqual(listed, idsOf(counted), `${areaCode}: resent, and listed`);
  // Two phones with one storage may both have a row; it is undone if one of them has undone it.
  const undone = new Set(here.filter(({ row }) => row.undone).map(({ row }) => row.opId));
  const acknowledged = here.filter(
    ({ row }) => row.pass === pass && isCountedHere(row) && !undone.has(row.opId),
  );
  assert.deepEqual(idsOf(acknowledged), scans.map(idOf).sort(), `${areaCode}: acknowledged, and listed`);
}

/** Where a person counted alone, the person sees what the server has. */
function checkWalk(
  walk: Walk,
  stored: readonly StoredScan[],
  { scans, pass }: { readonly scans: readonly AreaScan[]; readonly pass: number },
): void {
  const { areaCode } = walk.fuzzArea.area;
  const idOfRow = new Map(stored.map(({ row, answer }) => [row.opId, answer.scan._id]));
  assert.deepEqual(walk.discrepancies, [], areaCode);
  assert.deepEqual(
    walk.entries.map(({ opId }) => idOfRow.get(opId)).sort(),
    scans.map(idOf).sort(),
    areaCode,
  );
  assert.equal(pass, walk.pass, areaCode);
}

/** S20: the badge of every page shows what is in the queue: nothing. */
async function checkBadges(member: CrewMember): Promise<void> {
  assert.equal(await member.phone.unsettled(), 0, "rows still to be sent");
  for (const device of member.phone.devices) {
    for (let turn = 0; turn < 50 && device.queue.state().pending !== 0; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(device.queue.state().pending, 0, "the pending badge");
  }
}

/** S18: whichever login sent a scan, it has the name of the person who scanned it. */
function checkNames(trial: Trial, stored: readonly StoredScan[], scans: readonly AreaScan[]): void {
  const scanner = new Map(stored.map(({ row, answer }) => [answer.scan._id, row.scannedById]));
  for (const { _id, username } of scans) {
    const userId = scanner.get(_id) ?? "";
    assert.equal(username, trial.people.known.get(userId)?.name, `scan ${_id} of ${userId}`);
  }
}

/** S36: what Manual Entry's search has found is a product for the server too. */
function checkFoundByHand(stored: readonly StoredScan[]): void {
  for (const { row, answer } of stored) {
    if (row.method !== "manual") continue;
    assert.equal(answer.scan.sku, row.sku, `${row.input}, found by hand`);
    assert.notEqual(answer.status, "unresolved", `${row.input}, found by hand`);
  }
}

/** S40, and the session's code, while the session runs. */
async function checkWhileItRuns(trial: Trial, stored: readonly StoredScan[]): Promise<void> {
  if (trial.hasEnded) return;
  const settled = trial.fuzzAreas
    .map(({ area }) => area.areaId)
    .filter((areaId) => !trial.deleted.has(areaId) && !trial.again.areaIds.has(areaId));
  await trial.assigning.check(stored, new Set(settled), trial.people.known);
  await trial.people.arrivals.check();
}

async function checkExceptions(
  { count, again }: Trial,
  stored: readonly StoredScan[],
): Promise<StoredScan[]> {
  const { scans } = await count.admin.call(sessionExceptions, { params: { id: count.sessionId } });
  const open = stored.filter(
    ({ answer, row }) =>
      answer.status === "late" ||
      // Unknown codes of a second count wait for nobody.
      (answer.status === "unresolved" && !again.isOfAttempt(row.areaId, answer.scan.pass)),
  );
  assert.deepEqual(scans.map(({ _id }) => _id).sort(), idsOf(open), "the exceptions");
  return open;
}

/** Units by SKU. */
function countBySku(scans: readonly { sku: string | null; row: PendingScan }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { sku, row } of scans) {
    if (sku !== null) counts[sku] = (counts[sku] ?? 0) + unitsOfScan(row);
  }
  return counts;
}

function distinct(stored: readonly StoredScan[]): StoredScan[] {
  return [...new Map(stored.map((each) => [each.answer.scan._id, each])).values()];
}

/** Accepted scans count from then on; the report's totals are the counted scans and those. Resolves to all units of the report. */
async function checkReport(
  trial: Trial,
  stored: readonly StoredScan[],
  open: readonly StoredScan[],
  listed: ReadonlySet<string>,
): Promise<number> {
  const { count } = trial;
  const counted = distinct(stored).filter(
    ({ answer, row }) =>
      answer.status === "counted" &&
      !trial.again.isOfAttempt(row.areaId, answer.scan.pass) &&
      (!trial.again.areaIds.has(row.areaId) || listed.has(answer.scan._id)),
  );
  const accepted = distinct(open)
    .filter(
      ({ answer, row }) => answer.status === "late" && row.sku !== null && !trial.deleted.has(row.areaId),
    )
    // What is in another count already, or was settled by one, can't be accepted into the first.
    .filter(({ row }) => !trial.again.areaIds.has(row.areaId))
    .slice(0, acceptedAtMost);
  for (const { answer } of accepted) {
    await count.admin.call(resolveScan, { params: { id: answer.scan._id }, body: { action: "accept" } });
  }
  await trial.finish();
  await trial.end();
  const params = { sessionId: count.sessionId };
  const { items } = await count.admin.call(varianceReport, { params, query: { view: "all" } });
  const reported = Object.fromEntries(items.map((item) => [item.sku, item.counted]));
  const expected = countBySku([
    ...counted.map(({ answer, row }) => ({ sku: answer.scan.sku, row })),
    ...accepted.map(({ row }) => ({ sku: row.sku, row })),
  ]);
  const none = Object.fromEntries([...trial.again.settledAsNone].map((sku) => [sku, 0]));
  assert.deepEqual(reported, { ...none, ...expected }, "the report's totals");
  return items.reduce((sum, item) => sum + item.counted, 0);
}

/** S10: the queues of all phones are empty, and the server has heard it: a certificate is issued where nothing else is open. */
async function checkCertificate(
  { count, deletedSince }: Trial,
  stored: readonly StoredScan[],
  units: number,
): Promise<boolean> {
  const foundNothing = ({ area, pass }: SecondCount) =>
    stored.every(
      ({ row, answer }) =>
        row.areaId !== area._id ||
        row.pass !== pass ||
        (answer.status !== "counted" && answer.status !== "unresolved"),
    );
  return checkCoverage({ count, foundNothing, deletedSince }, units);
}

/**
 * Compares the server with the phones: what they scanned, what was acknowledged to them, what people undid. Throws
 * AssertionError where they differ. Resolves to whether a coverage certificate was issued in the end.
 */
export async function checkTrial(trial: Trial): Promise<boolean> {
  const members = trial.participants.map(({ member }) => member);
  await trial.again.settle();
  const rows: PendingScan[] = [];
  for (const member of members) {
    await checkBadges(member);
    rows.push(...(await rowsOf(member)));
  }
  const stored = await resend(trial.count, rows);
  const walks = members.flatMap((member) => member.walks);
  checkComplete(
    stored,
    walks.flatMap(({ made }) => made),
  );
  checkFoundByHand(stored);
  await trial.again.read();
  await checkWhileItRuns(trial, stored);
  const units = new Map<string, number>();
  const listed = new Set<string>();
  for (const fuzzArea of trial.fuzzAreas) {
    const { areaId } = fuzzArea.area;
    if (trial.deleted.has(areaId)) continue;
    const list = await listOf(trial.count, fuzzArea);
    for (const { _id, sku, quantity } of list.scans) {
      listed.add(_id);
      units.set(`${areaId} ${sku}`, (units.get(`${areaId} ${sku}`) ?? 0) + (quantity ?? 1));
    }
    checkAcknowledged(stored, list, fuzzArea, trial.again.areaIds.has(areaId));
    checkNames(trial, stored, list.scans);
    const owner = walks.find((walk) => walk.fuzzArea === fuzzArea && walk.isOwn);
    if (owner !== undefined) checkWalk(owner, stored, list);
  }
  await trial.again.check(stored, listed, (areaId, sku) => units.get(`${areaId} ${sku}`) ?? 0);
  await trial.searches.check(members);
  const counted = await checkReport(trial, stored, await checkExceptions(trial, stored), listed);
  await trial.people.arrivals.checkOver();
  return checkCertificate(trial, stored, counted);
}
