import { explainRow } from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { reportItem } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { explanation } from "../testing/explanation-example.ts";
import { address, reportServer } from "../testing/report-server.ts";

type Changes = Parameters<typeof explanation>[0];

async function partOf(name: string, changes: Changes, counted: number) {
  reportServer().answer(explainRow, explanation(changes));
  openPage(`${address}&row=LIN-S`);
  const drawer = within(await screen.findByRole("dialog", { name: `Why ${counted}?` }));
  return within(await drawer.findByRole("region", { name }));
}

const whereCounted = (changes: Changes, counted = 3) => partOf("Where it was counted", changes, counted);
const comparedOf = (changes: Changes) => partOf("Counted more than once", changes, 3);

it("says how many passes and devices are not named where somebody has made them up, and what they counted", async () => {
  const passes = explanation().passes.map((pass) => ({ ...pass, counterCount: 2, units: 5, leftOut: 4 }));
  const counted = await whereCounted({ passCount: 1_501, scanned: 12, passes });
  counted.getByText("and 1 other with fewer: 2 units, 3 units left out together");
  counted.getByText("and 1,500 more counts of areas with fewer: 7 units together");
});

it("says of counts of a file and of a sheet where they come from", async () => {
  const passes = explanation().passes.map(({ counters, ...pass }) => ({
    ...pass,
    counters: ["a file", "sheet 12", "device-7"].flatMap((deviceId) =>
      counters.map((each) => ({ ...each, deviceId })),
    ),
  }));
  const counted = await whereCounted({ passes });
  counted.getByText(/^Mia in a file of counts: 3 units/);
  counted.getByText(/^Mia on count sheet 12: 3 units/);
  counted.getByText(/^Mia on device …vice-7: 3 units/);
});

it("says of others who counted nothing that counts what of theirs was left out", async () => {
  const passes = explanation().passes.map((pass) => ({ ...pass, counterCount: 2, leftOut: 4 }));
  (await whereCounted({ passes })).getByText("and 1 other with fewer: 3 units left out together");
});

it("tells of a second count, and of each who made it, what was compared and what they took back", async () => {
  const passes = explanation().passes.map(({ counters, ...pass }) => ({
    ...{ ...pass, round: 2, units: 0, leftOut: 5, compared: 3, counterCount: 2 },
    counters: counters.map((each) => ({ ...each, units: 0, leftOut: 3, compared: 2 })),
  }));
  const counted = await whereCounted({ passes });
  counted.getByText("3 units compared, 2 units left out");
  counted.getByText(/on device .+: 2 units compared, 1 unit left out, /);
  counted.getByText("and 1 other with fewer: 1 unit compared, 1 unit left out together");
});

describe("after a count that was set by hand", () => {
  const byHand = (previousCount: number, newCount: number, _id = "1") => ({
    ...{ _id, sku: "LIN-S", previousCount, newCount, reason: null },
    ...{ adjustedAt: "2026-03-02T08:00:00.000Z", adjustedBy: { username: "admin" } },
  });
  const item = reportItem({ sku: "LIN-S", counted: 5, manual: true });

  it("what was accepted since is told apart, and changes nothing", async () => {
    const counted = await whereCounted({ item, scanned: 3, counts: [byHand(2, 5)] }, 5);
    counted.getByText(
      "3 units scanned and counted: 2 when the count was set by hand and 1 more since, which does not change it. It stays 5",
    );
  });

  it("of several only what was there at the first is told, as the last may have known of the rest", async () => {
    const counts = [byHand(8, 12, "2"), byHand(10, 8)];
    const set = reportItem({ sku: "LIN-S", counted: 12, manual: true });
    const counted = await whereCounted({ item: set, scanned: 12, counts }, 12);
    counted.getByText(
      "12 units scanned and counted: 10 when the count was first set by hand and 2 more after that. It was last set to 12 by hand",
    );
  });

  it("so is what was taken back since", async () => {
    const counted = await whereCounted({ item, scanned: 2, counts: [byHand(6, 5)] }, 5);
    counted.getByText(
      "2 units scanned and counted: 6 when the count was set by hand and 4 less since, which does not change it. It stays 5",
    );
  });
});

it("counts that differed are not said to wait for a choice once the area was counted anew", async () => {
  const area = { _id: "area-1", code: "A1", name: "Window", locationName: "Sales Floor" };
  const open = { third: null, settledAs: null, settledAt: null, settledBy: null, reason: null };
  const counts = await comparedOf({
    compared: [{ area, ofPass: 2, first: 8, second: 7, ...open, isOfPresentCount: false }],
  });
  counts.getByText("Of a count that the area has left behind.");
  expect(counts.queryByText(/Not settled/)).toBeNull();
});

it.each([
  [null, "Not settled: what counts now is in the report until you choose."],
  ["first", "Settled: what counts now is right, chosen by admin."],
] as const)(
  "the first figure is told for what it is once another count took its place (%s)",
  async (settledAs, text) => {
    const area = { _id: "area-1", code: "A1", name: "Window", locationName: "Sales Floor" };
    const settledBy = settledAs === null ? null : { username: "admin" };
    const settled = { settledAs, settledAt: null, settledBy, reason: null, firstReplaced: true };
    const counts = await comparedOf({
      compared: [{ area, ofPass: 2, first: 8, second: 7, third: 7, ...settled }],
    });
    counts.getByText(/The first of these figures is what counts now/);
    counts.getByText(text);
  },
);

it("counts of an area that differed are all told, with what settled them and why", async () => {
  const area = { _id: "area-1", code: "A1", name: "Window", locationName: "Sales Floor" };
  const chosen = { settledAs: "third", settledBy: { username: "admin" }, reason: "Two were behind" } as const;
  const settledAt = "2026-03-01T18:00:00.000Z";
  const counts = await comparedOf({
    compared: [{ area, ofPass: 2, first: 8, second: 7, third: 6, ...chosen, settledAt }],
  });
  counts.getByText("A1 – Window, Sales Floor");
  counts.getByText("8 · 7 · 6");
  counts.getByText("Settled: the third count is right, chosen by admin.");
  counts.getByText("Two were behind");
});
