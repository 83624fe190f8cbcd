import { adjustCount, type CallAnswer, explainRow } from "@stocktake/contract";
import { expect } from "vitest";
import { type CountingScene, codes } from "../../scanning/testing/scene.ts";

export type Explanation = CallAnswer<typeof explainRow>;

/** Why the small jacket's row, or another's, is what it is. */
export function explain(
  { server, session }: CountingScene,
  of: string = codes.jacketS.sku,
  page: { limit?: string; cursor?: string } = {},
) {
  return server.admin.call(explainRow, { params: { sessionId: session._id }, query: { sku: of, ...page } });
}

export function adjust(
  { server, session }: CountingScene,
  of: string,
  newCount: number,
  reason = "shelf looked at again",
) {
  const params = { sessionId: session._id };
  return server.admin.call(adjustCount, { params, body: { sku: of, newCount, reason } });
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Exact: an amount is whole hundredths, whatever binary fraction it is held as. */
function centsOf(money: number): bigint {
  const [whole = "", fraction = ""] = money.toFixed(2).split(".");
  expect(Number(`${whole}.${fraction}`)).toBe(money);
  return BigInt(whole + fraction);
}

/** What is of unknown cost has no cost impact, and none of 0 either. */
function expectCostToAddUp({ unitCost, costImpact, variance }: Explanation["item"]): void {
  if (unitCost === null || costImpact === null) expect([unitCost, costImpact]).toEqual([null, null]);
  else expect(centsOf(costImpact)).toBe(centsOf(unitCost) * BigInt(variance));
}

/** What other sessions have moved is the sum of moves that are told; once it is deployed they explain what this one has not moved. */
function expectMovesToAddUp(deploy: Explanation["deploy"]): void {
  const { movedByOthers, movesByOthers = [], earlierByOthers, skipReason } = deploy;
  const told = [...movesByOthers, ...(earlierByOthers === undefined ? [] : [earlierByOthers])];
  const deltas = told.map(({ delta }) => delta);
  if (movedByOthers === null) expect(told).not.toEqual([]);
  else expect(deltas).not.toContain(null);
  if (movedByOthers !== null) expect(sum(deltas.map((delta) => delta ?? 0))).toBe(movedByOthers);
  if (deploy.rows.at(-1)?.direction !== "deploy") return;
  expect(skipReason).toBeNull();
  expect(deploy.moved).toBe(deploy.variance.low - (movedByOthers ?? 0));
}

/**
 * Every number of the explanation leads to the row's.
 * @param scannedThen what was scanned when its count was first set by hand; as much as now unless given
 */
export function expectToAddUp(explained: Explanation, scannedThen: number = explained.scanned): void {
  const { item, passes, scans, counts, parts, readings, deploy } = explained;
  const unitsOf = (isWanted: (status: string) => boolean) =>
    sum(scans.filter(({ status }) => isWanted(status)).map(({ quantity }) => quantity));
  expect(sum(passes.map(({ units }) => units))).toBe(explained.scanned);
  expect(unitsOf((status) => status === "counted")).toBe(explained.scanned);
  for (const { area, pass, units, leftOut, counters } of passes) {
    const here = scans.filter((each) => each.areaId === area._id && each.pass === pass);
    const ofCounted = here.filter(({ status }) => status === "counted").map(({ quantity }) => quantity);
    expect([sum(counters.map((each) => each.units)), sum(ofCounted)]).toEqual([units, units]);
    expect(sum(counters.map((each) => each.leftOut))).toBe(leftOut);
    expect(sum(here.map(({ quantity }) => quantity))).toBe(units + leftOut);
    expect(sum(counters.map((each) => each.scans))).toBe(here.length);
  }
  expect(item.counted).toBe(counts[0]?.newCount ?? explained.scanned);
  expect(counts.at(-1)?.previousCount ?? scannedThen).toBe(scannedThen);
  expect([readings.at(0)?.onHand, readings.at(-1)?.onHand]).toEqual([item.startOnHand, item.endOnHand]);
  expect(item.counted - item.startOnHand).toBe(parts.fromStart);
  expect(parts.naturalMovement + parts.variance).toBe(parts.fromStart);
  expect(item.variance).toBe(parts.variance);
  expectCostToAddUp(item);
  expect(parts.afterCount.low + parts.atCount.high).toBe(parts.variance);
  expect(parts.afterCount.high + parts.atCount.low).toBe(parts.variance);
  const moved = deploy.rows.filter(({ state }) => state === "confirmed").map(({ delta }) => delta);
  expect([deploy.moved, item.deployed]).toEqual([sum(moved), sum(moved)]);
  expectMovesToAddUp(deploy);
  if (deploy.wouldMove === null) return;
  expect(deploy.wouldMove).toBe(deploy.variance.low - deploy.moved - (deploy.movedByOthers ?? 0));
}
