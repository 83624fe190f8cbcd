import {
  askSecondCount,
  askSecondCounts,
  type CountAgainReason,
  listSessions,
  listToCountAgain,
  type SecondCount,
  sessionTolerance,
  setSessionTolerance,
} from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { admin, session } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";
import { openList, place, row } from "./testing/count-again-server.ts";

const secondCount: SecondCount = {
  area: { _id: "area-1", code: "A1", name: "Window", locationName: "Sales Floor" },
  ...{ pass: 3, ofPass: 2, round: 2, status: "not_started", units: 0, usernames: [] },
  ...{ askedAt: "2026-03-01T09:00:00.000Z", askedBy: { username: "admin" }, endedAs: null, endedAt: null },
};

it("a SKU shows its figures, every reason as a sentence, and asks for a second count of an area once that is confirmed", async () => {
  const server = openList([row()]);
  const sent = server.answer(askSecondCount, { secondCount });
  await screen.findByText("1 SKU to Count Again");
  screen.getByText(/Counted 4, Shopify has 7:/);
  screen.getByText("-3");
  screen.getByText(/\$37.20 at stake/);
  within(screen.getByRole("list", { name: "Where to look for LIN-S" })).getByText(
    "A1 – Window · Sales Floor · 4 units",
  );
  await userEvent.click(screen.getByRole("button", { name: "Count A1 a Second Time" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Count A1 a second time?" }));
  await userEvent.click(dialog.getByRole("button", { name: "Count a Second Time" }));
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ areaId: "area-1" }]));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("ticked SKUs are asked for in one go once that is confirmed, and what could not be asked for is named with why", async () => {
  const server = openList([row(), row({ sku: "BELT-1", neverCounted: true })]);
  const area = { ...secondCount.area, code: "B7" };
  const sent = server.answer(askSecondCounts, {
    secondCounts: [secondCount],
    notAsked: [
      { sku: "BELT-1", area: null, why: "never_counted" },
      { sku: "LIN-S", area, why: "not_closed" },
    ],
  });
  for (const sku of ["LIN-S", "BELT-1"]) {
    await userEvent.click(await screen.findByRole("checkbox", { name: `Select Linen Shirt · S · ${sku}` }));
  }
  await userEvent.click(screen.getByRole("button", { name: "Count Selected a Second Time" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Count 2 SKUs a second time?" }));
  await userEvent.click(dialog.getByRole("button", { name: "Count a Second Time" }));
  const outcome = await screen.findByText("1 second count was asked for.");
  await waitFor(() => expect(document.activeElement?.contains(outcome)).toBe(true));
  expect(document.activeElement?.getAttribute("role")).toBe("status");
  expect(sent.map(({ body }) => body)).toEqual([{ skus: ["LIN-S", "BELT-1"] }]);
  const notAsked = within(screen.getByRole("list", { name: "Not asked for" })).getAllByRole("listitem");
  expect(notAsked.map(({ textContent }) => textContent)).toEqual([
    "BELT-1: nobody counted it. Have it searched for instead.",
    "LIN-S · B7: the area is still being counted.",
  ]);
});

const sentences: readonly (readonly [CountAgainReason, string])[] = [
  [
    { kind: "BEYOND_TOLERANCE", limits: ["units", "money", "stockPercent"] },
    "Beyond tolerance: units, money and per cent of stock.",
  ],
  [
    { kind: "FAST_AREA", areas: [{ _id: "area-1", code: "A1", times: 3.5 }] },
    "Fast area: A1 was scanned 3.5 times as fast as usual here.",
  ],
  [
    { kind: "UNKNOWN_CODES", codes: ["L1N-S", "LIM-S"].map((input) => ({ input, units: 2 })) },
    "Unknown codes like it: L1N-S (2 units) and LIM-S (2 units). They wait to be decided.",
  ],
  [{ kind: "SIBLINGS_COUNTED", siblings: 2 }, "Never counted, though 2 other variants of its product were."],
  [
    { kind: "OVERAGE_NEXT_AREA", areas: ["A1", "A2"].map((code) => ({ _id: code, code })) },
    "Overage in the next area: A1 and A2 are beside each other, and each counted at least the excess. It may have been counted in both.",
  ],
  [{ kind: "NEGATIVE_STOCK" }, "Negative stock: Shopify has less than nothing of it on hand."],
  [
    {
      ...{ kind: "SWAP_SUSPECTED", sku: "LIN-M", productTitle: "Linen Shirt", size: "M", difference: 3 },
      why: "neighbours",
    },
    "Swap suspected with Linen Shirt · M · LIN-M (+3), a neighbouring variant.",
  ],
  [
    {
      kind: "SIZES_CANCEL_OUT",
      others: [
        { sku: "LIN-M", size: "M", difference: 3 },
        { sku: "LIN-L", size: "L", difference: -1 },
      ],
      othersLeftOut: 0,
    },
    "Sizes cancel out: together with M · LIN-M (+3) and L · LIN-L (-1) it comes to 0.",
  ],
];

it("all reasons of a SKU stand side by side, and none is summed up with another", async () => {
  openList([row({ reasons: sentences.map(([reason]) => reason) })]);
  const reasons = within(await screen.findByRole("list", { name: "Why LIN-S" })).getAllByRole("listitem");
  expect(reasons.map(({ textContent }) => textContent)).toEqual(sentences.map(([, sentence]) => sentence));
});

it("of many sizes that cancel out those that are not named are told by their number", async () => {
  const others = [{ sku: "LIN-M", size: "M", difference: 3 }];
  openList([row({ reasons: [{ kind: "SIZES_CANCEL_OUT", others, othersLeftOut: 4 }] })]);
  await screen.findByText("Sizes cancel out: together with M · LIN-M (+3) and 4 more it comes to 0.");
});

it("of several pairs of areas nobody says that all of them are beside each other", async () => {
  const areas = ["A1", "A2", "A9", "A10"].map((code) => ({ _id: code, code }));
  openList([row({ reasons: [{ kind: "OVERAGE_NEXT_AREA", areas }] })]);
  await screen.findByText(
    "Overage in the next area: each of A1, A2, A9 and A10 lies beside another of them and counted at least the excess. It may have been counted in both.",
  );
});

it.each([
  ["open", "second count under way"],
  ["open_of_others", "second count of other products under way"],
] as const)(
  "where a second count is %s that is said, and none can be asked for",
  async (secondCount, said) => {
    openList([row({ areas: [{ ...place, secondCount }] })]);
    await screen.findByText(`A1 – Window · Sales Floor · 4 units · ${said}`);
    expect(screen.queryByRole("button", { name: "Count A1 a Second Time" })).toBeNull();
  },
);

it("how many areas are left out stands after those that are shown", async () => {
  openList([row({ areasLeftOut: 5 })]);
  const places = within(await screen.findByRole("list", { name: "Where to look for LIN-S" }));
  expect(places.getAllByRole("listitem").at(-1)?.textContent).toBe("and 5 more");
});

it("what is of unknown cost stands apart, and what was found nowhere says so", async () => {
  const unknown = { sku: "BELT-1", atStake: null, neverCounted: true, counted: 0, areas: [] };
  openList([row(), row(unknown)]);
  const apart = within(await screen.findByRole("list", { name: "Cost Unknown (1)" }));
  apart.getByText(/Not counted, Shopify has 7:/);
  apart.getByText(/cost unknown/);
  apart.getByText("Nobody found it anywhere.");
  expect(apart.queryByText("LIN-S")).toBeNull();
});

it("a long list comes page by page", async () => {
  openList(Array.from({ length: 60 }, (_none, index) => row({ sku: `LIN-${index}` })));
  await screen.findByText("60 SKUs to Count Again");
  expect(screen.queryByText("LIN-55")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Show More SKUs (10 left)" }));
  await screen.findByText("LIN-55");
  await screen.findByText("10 SKUs added");
  expect(screen.queryByRole("button", { name: /Show More/ })).toBeNull();
});

it("of an ended session the list remains, and nothing can be asked for", async () => {
  openList([row({ areas: [{ ...place, secondCount: "made" }] })], "closed");
  await screen.findByText(/4 units · counted a second time/);
  screen.getByRole("link", { name: "Go to the Report" });
  expect(screen.queryByRole("button", { name: /a Second Time/ })).toBeNull();
  expect(screen.queryByRole("button", { name: "Set the Tolerance" })).toBeNull();
});

it("where nothing looks like a mistake the page says so", async () => {
  openList([]);
  await screen.findByText("Nothing to Count Again");
});

it("a list that can't be read says so and can be asked for again", async () => {
  const server = new FakeServer(admin);
  const running = session({ status: "active", endedAt: null });
  server.answer(listSessions, { sessions: [running] });
  server.refuse(listToCountAgain, "INTERNAL", "It did not work.");
  openPage(`/admin/sessions/${running._id}/count-again`);
  await screen.findByText("It did not work.");
  server.answer(listToCountAgain, { rows: [row()], currency: "USD", unknownCosts: 0, next: null, total: 1 });
  await userEvent.click(screen.getByRole("button", { name: /Retry|Try Again/ }));
  await screen.findByText("1 SKU to Count Again");
});

it("the session gets a tolerance of its own in the place of its store's, and may go back to it", async () => {
  const server = openList([]);
  const none = { units: null, money: null, stockPercent: null, moneyPercent: null };
  const ofStore = { over: { ...none, units: 5 }, short: none };
  server.answer(sessionTolerance, { session: null, store: ofStore });
  const sent = server.answer(setSessionTolerance, { tolerance: null });
  await userEvent.click(await screen.findByRole("button", { name: "Set the Tolerance" }));
  const own = await screen.findByRole("switch", { name: "Use the store's tolerance" });
  const dialog = within(screen.getByRole("dialog", { name: "Tolerance of This Session" }));
  expect(own).toHaveProperty("checked", true);
  await userEvent.click(own);
  dialog.getByText(
    "With every field empty no second count is asked for in this session, whatever the store's tolerance is.",
  );
  const short = within(dialog.getByRole("group", { name: "Less Than Shopify Has" }));
  const money = short.getByRole("textbox", { name: "Money" });
  await userEvent.type(money, "12.345");
  const save = dialog.getByRole("button", { name: "Save Tolerance" });
  expect(save).toHaveProperty("disabled", true);
  dialog.getByText("Enter a number of 0 or more, with at most two decimals.");
  await userEvent.clear(money);
  await userEvent.type(money, "12.3");
  await userEvent.click(save);
  const tolerance = { over: { ...none, units: 5 }, short: { ...none, money: 12.3 } };
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ tolerance, seen: null }]));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("a session's tolerance that somebody else has set meanwhile keeps their limits, and those typed here", async () => {
  const server = openList([]);
  const none = { units: null, money: null, stockPercent: null, moneyPercent: null };
  const began = { over: none, short: { ...none, units: 4 } };
  server.answer(sessionTolerance, { session: began, store: null });
  await userEvent.click(await screen.findByRole("button", { name: "Set the Tolerance" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Tolerance of This Session" }));
  const over = within(await dialog.findByRole("group", { name: "More Than Shopify Has" }));
  await userEvent.type(over.getByRole("textbox", { name: "Money" }), "100");
  const seen = { over: none, short: { ...none, units: 9 } };
  server.answer(sessionTolerance, { session: seen, store: null });
  server.refuse(
    setSessionTolerance,
    "CHANGED_MEANWHILE",
    "The tolerance was changed after you had opened it.",
  );
  await userEvent.click(dialog.getByRole("button", { name: "Save Tolerance" }));
  await dialog.findByText(/^Since you opened this, it was changed elsewhere: Less Than Shopify Has, Units\./);
  const sent = server.answer(setSessionTolerance, { tolerance: seen });
  await userEvent.click(dialog.getByRole("button", { name: "Save Tolerance" }));
  const tolerance = { ...seen, over: { ...none, money: 100 } };
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ tolerance, seen }]));
});
