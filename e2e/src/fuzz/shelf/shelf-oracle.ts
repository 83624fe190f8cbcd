import assert from "node:assert/strict";
import {
  type AdjustmentRow,
  type Basis,
  listAdjustmentRows,
  type ReportItem,
  sessionPasses,
} from "@stocktake/contract";
import type { NamedScans } from "./paper.ts";
import type { Unit } from "./shelf.ts";
import type { ShelfTrial } from "./shelf-trial.ts";

/** How many figures were compared with the shelf to the unit, named, or counted wrongly by somebody. */
export interface Tally {
  readonly right: number;
  readonly moved: number;
  /** Of the certain ones some units of so many were counted on paper or for a file. */
  readonly onPaper: number;
  /** Of the certain ones the units of so many were read by their tags. */
  readonly tagged: number;
  readonly named: number;
  readonly mistaken: number;
  /** Rows that a person settled afterwards, and deploys and rollbacks that they resumed. */
  readonly settled: number;
  readonly resumed: number;
}

/** By how many units people's counting makes a figure wrong, and nobody else. */
interface Mistakes {
  /** Units at most that were there to be counted and were not. */
  readonly missed: number;
  /** Units that were counted twice. */
  readonly extra: number;
}

/**
 * After a deploy Shopify's stock of every SKU is what lies on the shelf, but for what people counted wrongly; or the SKU is
 * named. Throws AssertionError where a figure is wrong and looks certain.
 */
export async function checkShelf(trial: ShelfTrial, when: string): Promise<Tally> {
  const { administrator, shelf, installation } = trial;
  const { items, basis } = await administrator.report();
  const stored = trial.paper.name(await installation.scans(administrator.sessionId));
  const rows = await readRows(trial);
  const moved = await administrator.moved();
  const lastClosedAt = await readLastClosing(trial);
  checkScans(trial, stored, items);
  const wrong: object[] = [];
  const tally = { ...noTally };
  for (const sku of shelf.skus) {
    const item = items.find((each) => each.sku === sku);
    const row = rows.get(sku);
    const { missed, extra } = mistakesIn(trial, shelf.of(sku), { stored, basis, lastClosedAt });
    const [onHand, onShelf] = [await administrator.onHand(sku), shelf.count(sku)];
    const isNamed =
      administrator.untold.has(sku) || isNamedBy({ item, row, basis }) || administrator.skipped.includes(sku);
    const isRight = onHand.some((units) => units - onShelf >= -missed && units - onShelf <= extra);
    if (isNamed) tally.named += 1;
    else if (missed + extra > 0) tally.mistaken += 1;
    else tally.right += 1;
    if (!isNamed && (moved.get(sku) ?? 0) !== 0) tally.moved += 1;
    if (!isNamed && trial.paper.has(sku)) tally.onPaper += 1;
    if (!isNamed && shelf.of(sku).some(({ tag }) => tag !== null)) tally.tagged += 1;
    if (!isNamed && !isRight) wrong.push({ sku, onHand, onShelf, missed, extra, item, row });
  }
  assert.deepEqual(wrong, [], `wrong, and looks certain, ${when}`);
  return tally;
}

async function readRows({ installation, administrator }: ShelfTrial): Promise<Map<string, AdjustmentRow>> {
  const { rows } = await installation.admin.call(listAdjustmentRows, {
    params: { sessionId: administrator.sessionId },
    query: { view: "all" },
  });
  // Newest first: of several adjustments the newest counts.
  return new Map(rows.toReversed().map((row) => [row.sku, row]));
}

/** When the last area was closed; 0 where none was. */
async function readLastClosing({ installation, administrator }: ShelfTrial): Promise<number> {
  const { passes } = await installation.admin.call(sessionPasses, {
    params: { id: administrator.sessionId },
  });
  const closed = passes.filter(({ endedAs }) => endedAs === "closed");
  return Math.max(0, ...closed.map(({ endedAt }) => Date.parse(endedAt ?? "")));
}

interface Figure {
  readonly item: ReportItem | undefined;
  readonly row: AdjustmentRow | undefined;
  readonly basis: Basis;
}

/** Whether the report or the history says of a figure that it is in question, or was not moved. */
function isNamedBy({ item, row, basis }: Figure): boolean {
  // Not in the report: a partial count in which nobody counted it.
  if (item === undefined) return true;
  // What an administrator has included is deployed as if it were certain.
  if ((item.uncertain !== null && !item.included) || item.skipReason !== null) return true;
  if (row !== undefined && row.state !== "confirmed" && row.state !== "rolled_back") return true;
  // Against the end, the report shows that stock moved after it was counted by another variance at that time.
  const { low, high } = item.varianceAtCount;
  return basis === "end" && (low !== item.variance || high !== item.variance);
}

/** No scan is lost or counted twice: the server has each once, and the report counts those that count. */
function checkScans({ counters, paper }: ShelfTrial, stored: NamedScans, items: readonly ReportItem[]): void {
  const made = [...counters.flatMap((counter) => counter.made.map(({ opId }) => opId)), ...paper.keys()];
  assert.deepEqual([...stored.keys()].sort(), made.sort(), "the scans that the server has");
  const counted: Record<string, number> = {};
  for (const { status, sku, quantity } of stored.values()) {
    if (status === "counted" && sku !== null) counted[sku] = (counted[sku] ?? 0) + quantity;
  }
  const reported = items
    .filter((item) => item.counted !== 0)
    .map((item) => [item.sku, item.counted] as const);
  assert.deepEqual(Object.fromEntries(reported), counted, "the report's counts");
}

interface Counted {
  readonly stored: NamedScans;
  readonly basis: Basis;
  readonly lastClosedAt: number;
}

function mistakesIn(trial: ShelfTrial, units: readonly Unit[], counted: Counted): Mistakes {
  let [missed, extra] = [0, 0];
  // What its counter took back is not to count: nobody's mistake if it does.
  const scansOf = ({ scans, takenBack }: Unit) =>
    scans.filter((opId) => !takenBack.has(opId) && counted.stored.get(opId)?.status === "counted").length;
  // What nobody counted is compared with the end, by either comparison.
  const basis = units.some((unit) => scansOf(unit) > 0) ? counted.basis : "end";
  for (const unit of units) {
    const scans = scansOf(unit);
    assert.ok(scans <= 1 || unit.tag === null, `the item ${unit.tag} counts ${scans} times`);
    if (scans > 1) extra += scans - 1;
    if (scans === 0 && !wasNotToBeSeen(trial, unit, { ...counted, basis })) missed += 1;
  }
  return { missed, extra };
}

/**
 * It left before, or came after, somebody walked along its area, and the comparison knows: the one with the end knows what
 * left, the one when counted both, or its figure is uncertain. What the comparison can't know is declared here, as the
 * mistakes of people are: docs/decisions/2026-11-22-the-fuzz-knows-the-shelf.md.
 */
function wasNotToBeSeen({ counters, administrator }: ShelfTrial, unit: Unit, counted: Counted): boolean {
  const { cameUnseenAt, leftUnseenAt, area } = unit;
  const { basis, lastClosedAt } = counted;
  if (cameUnseenAt !== null) return basis === "count" || cameUnseenAt > administrator.endedAt;
  if (leftUnseenAt === null) return false;
  if (basis === "count") return leftUnseenAt < lastClosedAt;
  const wasWalked = counters.some((counter) => counter.hasWalked(area));
  return wasWalked && leftUnseenAt < administrator.endAskedAt;
}

export const noTally: Tally = {
  ...{ right: 0, moved: 0, onPaper: 0, tagged: 0 },
  ...{ named: 0, mistaken: 0, settled: 0, resumed: 0 },
};

export function addTallies(one: Tally, other: Tally): Tally {
  return {
    right: one.right + other.right,
    moved: one.moved + other.moved,
    onPaper: one.onPaper + other.onPaper,
    tagged: one.tagged + other.tagged,
    named: one.named + other.named,
    mistaken: one.mistaken + other.mistaken,
    settled: one.settled + other.settled,
    resumed: one.resumed + other.resumed,
  };
}
