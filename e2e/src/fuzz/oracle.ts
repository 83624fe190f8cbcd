import assert from "node:assert/strict";
import {
  type AreaScan,
  areaScans,
  type CallAnswer,
  postScanBatch,
  resolveScan,
  type ScanAnswer,
  sessionExceptions,
  varianceReport,
} from "@stocktake/contract";
import { isCountedHere, type PendingScan } from "../../../apps/web/src/offline/database/records.ts";
import { scanPayload } from "../../../apps/web/src/offline/sync/payloads.ts";
import type { RunningCount } from "../running-count.ts";
import type { CrewMember } from "./crew.ts";
import type { Trial } from "./trial.ts";
import type { FuzzArea, Walk } from "./walk.ts";

/** A scan as one phone has it, and what the server says of it when it is asked again. */
interface Held {
  readonly row: PendingScan;
  readonly answer: ScanAnswer;
}

const scansPerCall = 500;
const acceptedAtMost = 5;

async function rowsOf(member: CrewMember): Promise<PendingScan[]> {
  const rows = await member.phone.device.database.getAll("pendingScans");
  return rows.map((row) => ({ ...row, id: row.id ?? 0 }));
}

/** What the server holds of scans that were made: sending them again says so and changes nothing. */
async function askAgain({ admin }: RunningCount, rows: readonly PendingScan[]): Promise<Held[]> {
  const results: CallAnswer<typeof postScanBatch>["results"] = [];
  for (let from = 0; from < rows.length; from += scansPerCall) {
    const scans = rows.slice(from, from + scansPerCall).map(scanPayload);
    results.push(...(await admin.call(postScanBatch, { body: { scans } })).results);
  }
  return rows.map((row, place) => {
    const answer = results[place];
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

function idsOf(held: readonly Held[]): string[] {
  return [...new Set(held.map(({ answer }) => answer.scan._id))].sort();
}

const idOf = ({ _id }: AreaScan) => _id;

/** S1, S4: every scan that a phone took is on the server once, and nothing else is. */
function checkComplete(held: readonly Held[], made: readonly PendingScan[]): void {
  const asked = new Set(held.map(({ row }) => row.opId));
  assert.deepEqual([...asked].sort(), made.map(({ opId }) => opId).sort());
  assert.equal(idsOf(held).length, asked.size, "two operation ids are one scan");
  for (const { row, answer } of held) {
    assert.equal(answer.scan.seq, row.seq, `${row.opId} stands under another number than the phone says`);
  }
}

/** S22: what phones were told is what the server counts in the area's pass, no more and no less. */
function checkTold(
  held: readonly Held[],
  { scans, pass }: { readonly scans: readonly AreaScan[]; readonly pass: number },
  place: FuzzArea,
): void {
  const { areaId, areaCode } = place.area;
  const here = held.filter(({ row }) => row.areaId === areaId);
  const counted = here.filter(({ answer }) => answer.status === "counted" && answer.scan.pass === pass);
  assert.deepEqual(scans.map(idOf).sort(), idsOf(counted), `${areaCode}: asked again, and listed`);
  // Two phones with one storage may both have a row; what one of them has undone is undone.
  const undone = new Set(here.filter(({ row }) => row.undone).map(({ row }) => row.opId));
  const told = here.filter(({ row }) => row.pass === pass && isCountedHere(row) && !undone.has(row.opId));
  assert.deepEqual(idsOf(told), scans.map(idOf).sort(), `${areaCode}: told, and listed`);
}

/** What a person counted alone is what the person sees. */
function checkWalk(
  walk: Walk,
  held: readonly Held[],
  { scans, pass }: { readonly scans: readonly AreaScan[]; readonly pass: number },
): void {
  const { areaCode } = walk.place.area;
  const idOfRow = new Map(held.map(({ row, answer }) => [row.opId, answer.scan._id]));
  assert.deepEqual(walk.complaints, [], areaCode);
  assert.deepEqual(
    walk.entries.map(({ opId }) => idOfRow.get(opId)).sort(),
    scans.map(idOf).sort(),
    areaCode,
  );
  assert.equal(pass, walk.pass, areaCode);
}

/** S20: the badge of every page says what the queue holds: nothing. */
async function checkBadges(member: CrewMember): Promise<void> {
  assert.equal(await member.unsettled(), 0, "rows still to be sent");
  for (const device of member.phone.devices) {
    for (let turn = 0; turn < 50 && device.queue.state().pending !== 0; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(device.queue.state().pending, 0, "the pending badge");
  }
}

/** S18: whoever's login sent a scan, it stands under the name of whoever scanned it. */
function checkNames(trial: Trial, held: readonly Held[], scans: readonly AreaScan[]): void {
  const scanner = new Map(held.map(({ row, answer }) => [answer.scan._id, row.scannedById]));
  for (const { _id, username } of scans) {
    const userId = scanner.get(_id) ?? "";
    assert.equal(username, trial.names.get(userId), `scan ${_id} of ${userId}`);
  }
}

async function checkExceptions({ count }: Trial, held: readonly Held[]): Promise<Held[]> {
  const { scans } = await count.admin.call(sessionExceptions, { params: { id: count.sessionId } });
  const open = held.filter(({ answer }) => answer.status === "late" || answer.status === "unresolved");
  assert.deepEqual(scans.map(({ _id }) => _id).sort(), idsOf(open), "what waits for an administrator");
  return open;
}

function countBySku(skus: readonly (string | null)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const sku of skus) if (sku !== null) counts[sku] = (counts[sku] ?? 0) + 1;
  return counts;
}

function distinct(held: readonly Held[]): Held[] {
  return [...new Map(held.map((each) => [each.answer.scan._id, each])).values()];
}

/** What an administrator accepts counts from then on; the report's totals are the counted scans and those. */
async function checkReport(trial: Trial, held: readonly Held[], open: readonly Held[]): Promise<void> {
  const { count } = trial;
  const counted = distinct(held).filter(({ answer }) => answer.status === "counted");
  const accepted = distinct(open)
    .filter(
      ({ answer, row }) => answer.status === "late" && row.sku !== null && !trial.deleted.has(row.areaId),
    )
    .slice(0, acceptedAtMost);
  for (const { answer } of accepted) {
    await count.admin.call(resolveScan, { params: { id: answer.scan._id }, body: { action: "accept" } });
  }
  await trial.end();
  const params = { sessionId: count.sessionId };
  const { items } = await count.admin.call(varianceReport, { params, query: { view: "all" } });
  const reported = Object.fromEntries(items.map((item) => [item.sku, item.counted]));
  const expected = countBySku([
    ...counted.map(({ answer }) => answer.scan.sku),
    ...accepted.map(({ row }) => row.sku),
  ]);
  assert.deepEqual(reported, expected, "the report's totals");
}

/**
 * Compares the server with the truth as the phones have it: what they took, what they were told, what people undid. Throws
 * AssertionError where they differ.
 */
export async function checkTrial(trial: Trial): Promise<void> {
  const members = trial.participants.map(({ member }) => member);
  const rows: PendingScan[] = [];
  for (const member of members) {
    await checkBadges(member);
    rows.push(...(await rowsOf(member)));
  }
  const held = await askAgain(trial.count, rows);
  const walks = members.flatMap((member) => member.walks);
  checkComplete(
    held,
    walks.flatMap(({ made }) => made),
  );
  for (const place of trial.places) {
    if (trial.deleted.has(place.area.areaId)) continue;
    const list = await listOf(trial.count, place);
    checkTold(held, list, place);
    checkNames(trial, held, list.scans);
    const owner = walks.find((walk) => walk.place === place && walk.isOwn);
    if (owner !== undefined) checkWalk(owner, held, list);
  }
  await checkReport(trial, held, await checkExceptions(trial, held));
}
