import type { ReportItem } from "@stocktake/contract";
import { expect, it } from "vitest";
import { reportItem } from "../../../testing/examples.ts";
import { defaultFilter, openDoubts, reportShares } from "./report-shares.ts";

const never = { areas: [], counted: 0, endOnHand: 9, variance: -9, unitCost: 1 };
const items = [
  reportItem({ sku: "1", variance: 3, unitCost: 10 }),
  reportItem({ sku: "2", variance: -2, unitCost: 0.1 }),
  reportItem({ sku: "3", ...never, skipReason: "NOT_COUNTED" }),
  reportItem({
    sku: "4",
    variance: 1,
    unitCost: null,
    uncertain: "MOVED_DURING_END",
    skipReason: "MOVED_DURING_END",
  }),
  reportItem({ sku: "5", variance: 0, manual: true }),
];
const doubtful = reportItem({
  ...{ sku: "6", variance: 0, unitCost: 2, uncertain: "COUNTED_AFTER_END", skipReason: "COUNTED_AFTER_END" },
});

it("tells what was counted with a variance from what nobody counted, is uncertain, is left out, and would be moved", () => {
  expect(reportShares({ items, deployed: false, basis: "end" })).toEqual([
    { filter: "counted", items: 3, above: 4, below: -2, cost: 29.8, withoutCost: 1 },
    { filter: "not_counted", items: 1, above: 0, below: -9, cost: -9, withoutCost: 0 },
    { filter: "uncertain", items: 1, above: 1, below: 0, cost: null, withoutCost: 1 },
    { filter: "left_out", items: 2, above: 1, below: -9, cost: -9, withoutCost: 1 },
    { filter: "moved", items: 2, above: 3, below: -2, cost: 29.8, withoutCost: 0 },
  ]);
});

it("tells of an uncertain row without a variance too, and says of as many as the filter shows that they are left out", () => {
  const report = { items: [...items, doubtful], deployed: false, basis: "end" } as const;
  const itemsOf = (wanted: string) => reportShares(report).find(({ filter }) => filter === wanted)?.items;
  expect([itemsOf("uncertain"), itemsOf("left_out"), itemsOf("counted")]).toEqual([2, 3, 3]);
  expect(openDoubts(report)).toEqual({ rows: 2, someIncludable: true });
  const ambiguous = reportItem({ sku: "7", variance: 1, skipReason: "AMBIGUOUS_MOVEMENT" });
  expect(
    openDoubts({ items: [ambiguous, { ...doubtful, included: true }], deployed: false, basis: "end" }),
  ).toEqual({ rows: 1, someIncludable: false });
  expect(openDoubts({ items: [{ ...doubtful, deployed: 1 }], deployed: true, basis: "end" }).rows).toBe(0);
});

it("says of the same rows that they are left out, or in doubt, whether every product is shown or only what differs", () => {
  const itemsOf = (rows: readonly ReportItem[]) =>
    reportShares({ items: [...rows], deployed: false, basis: "end" }).map((share) => share.items);
  const right = { variance: 0, varianceAtCount: { low: 0, high: 0 }, wouldMove: null };
  const alsoOfEveryProduct = [
    reportItem({ sku: "8", ...right, skipReason: "COUNTED_LATER", movedByOthers: 2 }),
    reportItem({ sku: "9", ...right, skipReason: "AMBIGUOUS_MOVEMENT", movedByOthers: null }),
    reportItem({ sku: "10", ...right }),
  ];
  expect(itemsOf([...items, ...alsoOfEveryProduct])).toEqual(itemsOf(items));
  expect(openDoubts({ items: alsoOfEveryProduct, deployed: false, basis: "end" }).rows).toBe(0);
});

it("tells what a deploy would move as the server planned it, and after a deploy what it moved", () => {
  const moved = (rows: readonly ReportItem[], deployed: boolean) =>
    reportShares({ items: [...rows], deployed, basis: "end" }).find(({ filter }) => filter === "moved");
  const rows = [
    reportItem({ variance: 3, deployed: 2, unitCost: 5 }),
    reportItem({ variance: 1, deployed: 0 }),
  ];
  expect(moved(rows, true)).toMatchObject({ items: 1, above: 2, cost: 10 });
  const planned = [
    reportItem({ variance: 3, movedByOthers: 4, wouldMove: -1, unitCost: 5 }),
    reportItem({ variance: 2, movedByOthers: 2, wouldMove: 0 }),
    reportItem({ variance: 2, skipReason: "COUNTED_LATER", wouldMove: null }),
  ];
  expect(moved(planned, false)).toMatchObject({ items: 1, above: 0, below: -1, cost: -5 });
});

it("shows counted variances by itself, and all where nothing that was counted differs", () => {
  expect(defaultFilter(items)).toBe("counted");
  expect(defaultFilter([reportItem(never)])).toBe("variances");
  expect(defaultFilter([])).toBe("counted");
});

it("a cost that no number holds to the cent is not shown", () => {
  const dear = [reportItem({ variance: 3, unitCost: 2 ** 45 }), reportItem({ variance: -1, unitCost: 0.01 })];
  const [share] = reportShares({ items: dear, deployed: false, basis: "end" });
  expect(share).toMatchObject({ items: 2, cost: null, withoutCost: 0 });
});
