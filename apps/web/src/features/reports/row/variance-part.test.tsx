import { explainRow, type StockReading } from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { reportItem } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { explanation } from "../testing/explanation-example.ts";
import { address, reportServer } from "../testing/report-server.ts";

const readings: readonly (readonly [string, number])[] = [
  ["08:00", 5],
  ["14:07", 4],
  ["15:00", 5],
  ["18:00", 5],
];

/** Five were on hand at the start and at the end. */
async function varianceOf(counted: number, at: readonly (readonly [string, number])[] = readings) {
  const variance = counted - 5;
  const calm = { low: 0, high: 0 };
  const counting = { firstCountedAt: "2026-03-01T13:30:00.000Z", lastCountedAt: "2026-03-01T13:30:00.000Z" };
  const kindOf = (index: number): StockReading["kind"] =>
    index === 0 ? "start" : index === at.length - 1 ? "end" : "during";
  reportServer().answer(
    explainRow,
    explanation({
      item: reportItem({ sku: "LIN-S", startOnHand: 5, endOnHand: 5, counted, variance, ...counting }),
      parts: {
        ...{ fromStart: variance, naturalMovement: 0, variance },
        ...{ afterCount: calm, atCount: { low: variance, high: variance } },
      },
      readings: at.map(([time, onHand], index) => ({
        ...{ at: `2026-03-01T${time}:00.000Z`, onHand, kind: kindOf(index) },
      })),
    }),
  );
  openPage(`${address}&row=LIN-S`);
  const drawer = within(await screen.findByRole("dialog", { name: `Why ${counted}?` }));
  return within(await drawer.findByRole("region", { name: "How the variance comes about" }));
}

it("says of stock that moved after the count and back again that it cancels out", async () => {
  const part = await varianceOf(4);
  part.getByText(
    "What moved after this was counted cancels out, so the whole variance is a difference on the shelf.",
  );
  expect(part.queryByText(/did not move/)).toBeNull();
});

it("so it does of a count that fits", async () => {
  (await varianceOf(5)).getByText(
    "What moved after this was counted cancels out, and what was counted is what Shopify had on hand.",
  );
});

it("what moved and came back before the count is not spoken of", async () => {
  const earlier = [
    ["08:00", 5],
    ["10:00", 4],
    ["11:00", 5],
    ["18:00", 5],
  ] as const;
  (await varianceOf(4, earlier)).getByText(/^Shopify's stock did not move after this was counted/);
});

it.each([
  [5, "Nobody counted it, so all that Shopify had on hand is missing."],
  [-2, "Nobody counted it. Shopify had less than none on hand, which the variance raises to zero."],
])("of %i on hand that nobody counted says what the variance is", async (endOnHand, text) => {
  const variance = -endOnHand;
  const [none, all] = [
    { low: 0, high: 0 },
    { low: variance, high: variance },
  ];
  const nobody = { firstCountedAt: null, lastCountedAt: null, hasCount: false };
  reportServer().answer(
    explainRow,
    explanation({
      item: reportItem({ sku: "LIN-S", startOnHand: endOnHand, endOnHand, counted: 0, variance, ...nobody }),
      parts: { fromStart: variance, naturalMovement: 0, variance, afterCount: none, atCount: all },
      passes: [],
      readings: [],
    }),
  );
  openPage(`${address}&row=LIN-S`);
  const drawer = within(await screen.findByRole("dialog", { name: "Why 0?" }));
  drawer.getByText(text);
});

it("of what counts settled as none says what the variance is, and not that nobody counted it", async () => {
  const [none, all] = [
    { low: 0, high: 0 },
    { low: -5, high: -5 },
  ];
  const counted = { counted: 0, countedNone: true, uncertain: null } as const;
  reportServer().answer(
    explainRow,
    explanation({
      item: reportItem({ sku: "LIN-S", startOnHand: 5, endOnHand: 5, variance: -5, ...counted }),
      parts: { fromStart: -5, naturalMovement: 0, variance: -5, afterCount: none, atCount: all },
      passes: [],
      readings: [],
    }),
  );
  openPage(`${address}&row=LIN-S`);
  const drawer = within(await screen.findByRole("dialog", { name: "Why 0?" }));
  drawer.getByText(/^Shopify's stock did not move after this was counted/);
  expect(drawer.queryByText(/Nobody counted it/)).toBeNull();
});

it("of what a second count alone found says that the counts differ, and not that all of it is missing", async () => {
  const [none, all] = [
    { low: 0, high: 0 },
    { low: -5, high: -5 },
  ];
  const counted = { counted: 0, uncertain: "COUNTS_DIFFER" } as const;
  reportServer().answer(
    explainRow,
    explanation({
      item: reportItem({ sku: "LIN-S", startOnHand: 5, endOnHand: 5, variance: -5, ...counted }),
      parts: { fromStart: -5, naturalMovement: 0, variance: -5, afterCount: none, atCount: all },
      passes: explanation().passes.map((pass) => ({ ...pass, round: 2, units: 0, leftOut: 3 })),
    }),
  );
  openPage(`${address}&row=LIN-S`);
  const drawer = within(await screen.findByRole("dialog", { name: "Why 0?" }));
  const part = within(await drawer.findByRole("region", { name: "How the variance comes about" }));
  part.getByText(/the counts of an area differ, and nobody has chosen one/);
  expect(part.queryByText(/Nobody counted it/)).toBeNull();
});
