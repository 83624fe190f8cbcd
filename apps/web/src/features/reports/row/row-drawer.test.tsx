import { adjustCount, explainRow, varianceReport } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { reportItem } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { explanation } from "../testing/explanation-example.ts";
import { address, report, reportServer } from "../testing/report-server.ts";

afterEach(() => vi.restoreAllMocks());

function answering(changes: Parameters<typeof explanation>[0] = {}) {
  const server = reportServer();
  const sent = server.answer(explainRow, ({ query }) => {
    const known = explanation(changes);
    return { ...known, item: { ...known.item, sku: query.sku ?? "" } };
  });
  return { server, sent };
}

const drawer = () => screen.findByRole("dialog", { name: "Why 3?" });
const part = async (name: string) => within(within(await drawer()).getByRole("region", { name }));

async function openRow(sku = "LIN-S") {
  const row = await screen.findByRole("button", { name: sku });
  row.focus();
  // The key goes to what has the focus, whether that is still the row or not.
  expect(document.activeElement).toBe(row);
  await userEvent.keyboard("{Enter}");
}

it("a row opens by Enter, keeps its SKU in the address, and gives the focus back when it closes", async () => {
  answering();
  const page = openPage(address);
  await openRow();
  await drawer();
  expect(page.address()).toBe(`${address}&row=LIN-S`);
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(page.address()).toBe(address);
  expect(document.activeElement?.textContent).toBe("LIN-S");
});

it("arrow keys go to the next row, in the table and in the drawer; closing returns to that row", async () => {
  const { sent } = answering();
  const page = openPage(address);
  (await screen.findByRole("button", { name: "LIN-S" })).focus();
  await userEvent.keyboard("{ArrowDown}");
  expect(document.activeElement?.textContent).toBe("LIN-M");
  await userEvent.keyboard("{ArrowUp}{Enter}");
  await drawer();
  await userEvent.keyboard("{ArrowRight}");
  await waitFor(() => expect(page.address()).toBe(`${address}&row=LIN-M`));
  expect(screen.getByRole("button", { name: "Next row" })).toHaveProperty("disabled", true);
  await waitFor(() => expect(sent.map(({ query }) => query.sku)).toEqual(["LIN-S", "LIN-M"]));
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(document.activeElement?.textContent).toBe("LIN-M"));
});

it("says how the variance comes about, and what stock that moved after the counting explains of it", async () => {
  answering();
  openPage(`${address}&row=LIN-S`);
  const sum = await part("How the variance comes about");
  const terms = sum
    .getAllByRole("term")
    .map((term) => `${term.textContent} ${term.nextSibling?.textContent}`);
  expect(terms).toEqual([
    "Start ON_HAND 3",
    "Natural Movement -1",
    "End ON_HAND 2",
    "Counted 3",
    "Variance +1",
  ]);
  sum.getByText("+1 of the variance comes from stock that moved after it was counted; 0 remains.");
  (await part("Where it was counted")).getByText("3 units scanned and counted");
  (await part("What a deploy does")).getByText("A deploy would move Shopify's stock by +1 now.");
});

it("says what each device counted in units, not in rows of whatever status", async () => {
  const [pass] = explanation().passes;
  const [counter] = pass?.counters ?? [];
  if (pass === undefined || counter === undefined) throw new Error("One device has counted.");
  const counters = [{ ...counter, scans: 7, units: 48, leftOut: 2 }];
  answering({ passes: [{ ...pass, counters }] });
  openPage(`${address}&row=LIN-S`);
  const counting = await part("Where it was counted");
  counting.getByText(/ on device .+: 48 units, 2 units left out, /);
  expect(counting.queryByText(/7 scans/)).toBeNull();
});

it("names what it was likely swapped with, and leads to why that one's count is what it is", async () => {
  const { server } = answering();
  const lost = reportItem({ sku: "LIN-M", size: "M", variance: -3 });
  server.answer(
    varianceReport,
    report({ items: [reportItem({ sku: "LIN-S", size: "S", variance: 3 }), lost] }),
  );
  const page = openPage(`${address}&row=LIN-S`);
  const swap = within(await screen.findByRole("region", { name: "Likely swapped" }));
  await userEvent.click(swap.getByRole("button", { name: "Likely swapped with M · LIN-M (-3)" }));
  await waitFor(() => expect(page.address()).toBe(`${address}&row=LIN-M`));
});

it("names every size that it cancels out with, and leads to why those counts are what they are", async () => {
  const { server } = answering();
  const items = [
    reportItem({ sku: "LIN-S", size: "S", variance: 3 }),
    reportItem({ sku: "LIN-XL", size: "XL", variance: -2 }),
    reportItem({ sku: "LIN-3XL", size: "XXXL", variance: -1 }),
  ];
  server.answer(varianceReport, report({ items }));
  const page = openPage(`${address}&row=LIN-S`);
  const swap = within(await screen.findByRole("region", { name: "Likely swapped" }));
  swap.getByText(/^Together with these sizes of its product it comes to 0/);
  swap.getByRole("button", { name: "Cancels out with XL · LIN-XL (-2)" });
  await userEvent.click(swap.getByRole("button", { name: "Cancels out with XXXL · LIN-3XL (-1)" }));
  await waitFor(() => expect(page.address()).toBe(`${address}&row=LIN-3XL`));
});

it("says in plain words that nobody can tell whether stock moved before or after it was counted", async () => {
  const parts = { fromStart: 0, naturalMovement: -2, variance: 2 };
  answering({ parts: { ...parts, afterCount: { low: 0, high: 2 }, atCount: { low: 0, high: 2 } } });
  openPage(`${address}&row=LIN-S`);
  const sum = await part("How the variance comes about");
  sum.getByText(
    "Stock moved at about the time when it was counted, so nobody can tell which came first: 0 to +2 of the variance may come from that, and 0 to +2 may be a real difference on the shelf.",
  );
});

it("says of a count that fits that it does, and not that its variance lies on the shelf", async () => {
  const calm = { low: 0, high: 0 };
  answering({
    item: reportItem({ sku: "LIN-S", counted: 3, endOnHand: 3, variance: 0 }),
    parts: { fromStart: 0, naturalMovement: 0, variance: 0, afterCount: calm, atCount: calm },
  });
  openPage(`${address}&row=LIN-S`);
  (await part("How the variance comes about")).getByText(
    "Shopify's stock did not move after this was counted, and what was counted is what it had on hand.",
  );
});

it("lists each scan with what became of it, and Shopify's readings between them, in the order of time", async () => {
  const near = { _id: "8", input: "1", sku: "BELT", productTitle: "Belt", size: "M" };
  const before = { ...near, scannedAt: "2026-03-01T14:01:00.000Z" };
  const { scans } = explanation();
  answering({ scans: scans.map((scan) => ({ ...scan, before })) });
  openPage(`${address}&row=LIN-S`);
  const list = (await part("Scans and Shopify's stock")).getByRole("list");
  const entries = within(list).getAllByRole("listitem");
  expect(entries.map(({ textContent }) => textContent?.replace(/^[^APM]*[AP]M/, ""))).toHaveLength(5);
  const at = (index: number) => entries[index]?.textContent ?? "";
  expect(at(0)).toContain("Shopify had 3 on hand when the session began");
  expect(at(1)).toContain("Voided");
  expect(at(1)).toContain("undone by Mia");
  expect(at(1)).toContain("The last scan of its device, after Belt · M · BELT");
  expect(at(2)).toContain("3 units by 4000000000105Counted");
  expect(at(3)).toContain("Shopify's stock moved by -1 to 2");
  expect(at(4)).toContain("Shopify had 2 on hand when the session ended");
});

it("shows what a file says of a count's time as just that, and nothing where nobody says anything", async () => {
  const [scan] = explanation().scans.filter(({ status }) => status === "counted");
  if (scan === undefined) throw new Error("One is counted.");
  const untold = { ...scan, _id: "untold", scannedAt: scan.receivedAt };
  const passes = explanation().passes.map((pass) => ({
    ...pass,
    counters: pass.counters.map((counter) => ({ ...counter, unknownTimes: 2 })),
  }));
  answering({ scans: [scan, untold].map((given) => ({ ...given, timeKnown: false })), passes });
  openPage(`${address}&row=LIN-S`);
  (await part("Where it was counted")).getByText(/, at an unknown time$/);
  const list = (await part("Scans and Shopify's stock")).getByRole("list");
  const texts = within(list)
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent ?? "")
    .filter((text) => text.includes("unknown time"));
  expect(texts).toEqual([
    expect.stringMatching(/^at an unknown time, received /),
    expect.stringMatching(/^at an unknown time, given as .+, received /),
  ]);
});

it("loads further scans when they are asked for; until then no reading is shown that comes after them", async () => {
  const [first, second] = explanation().scans;
  const { server } = answering();
  server.answer(explainRow, ({ query }) => {
    const scans = query.cursor === undefined ? [first] : [second];
    const next = query.cursor === undefined ? "more" : null;
    return explanation({ scans: scans.flatMap((scan) => scan ?? []), next });
  });
  openPage(`${address}&row=LIN-S`);
  const timeline = await part("Scans and Shopify's stock");
  expect(timeline.getAllByRole("listitem")).toHaveLength(2);
  await userEvent.click(timeline.getByRole("button", { name: "Show 1 More Scans" }));
  await waitFor(() => expect(timeline.getAllByRole("listitem")).toHaveLength(5));
});

it("the count is adjusted from it, and it says that the count was set by hand", async () => {
  const { server } = answering({
    counts: [
      {
        ...{ _id: "1", sku: "LIN-S", previousCount: 2, newCount: 3, reason: "Behind the till" },
        ...{ adjustedAt: "2026-03-02T08:00:00.000Z", adjustedBy: { username: "admin" } },
      },
    ],
    scanned: 2,
  });
  const sent = server.answer(adjustCount, { previousCount: 3, newCount: 4 });
  openPage(`${address}&row=LIN-S`);
  (await part("Where it was counted")).getByText(
    "2 units scanned and counted; the count was then set to 3 by hand",
  );
  (await part("Set by hand")).getByText("Behind the till");
  await userEvent.click(within(await drawer()).getByRole("button", { name: "Adjust Count" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Adjust Count" }));
  await userEvent.clear(dialog.getByLabelText("New Count"));
  await userEvent.type(dialog.getByLabelText("New Count"), "4");
  await userEvent.click(dialog.getByRole("button", { name: "Save Adjustment" }));
  await screen.findByText("The count of LIN-S was changed from 3 to 4.");
  expect(sent[0]?.body).toMatchObject({ sku: "LIN-S", newCount: 4 });
});

it("says what leaves the row out of a deploy, and what other sessions counted of it", async () => {
  const other = {
    _id: "s2",
    storeName: "Harbour",
    status: "closed",
    startedAt: "2026-01-01T08:00:00.000Z",
  } as const;
  answering({
    deploy: { ...explanation().deploy, wouldMove: null, skipReason: "COUNTED_LATER" },
    otherCounts: [
      {
        session: { ...other, endedAt: "2026-01-01T18:00:00.000Z" },
        counted: 7,
        manual: false,
        variance: -1,
        deployed: -1,
      },
    ],
    item: reportItem({ unitCost: null, costImpact: null, counted: 3 }),
    costFrom: null,
  });
  openPage(`${address}&row=LIN-S`);
  (await part("What a deploy does")).getByText("A deploy leaves it out: Counted in a later session.");
  (await part("Counted in other sessions")).getByText("7 counted, variance -1, deployed -1");
  (await part("Cost")).getByText(/^Shopify has no unit cost for it/);
});

it("says who has left it alone on purpose, and why", async () => {
  const at = "2026-03-02T08:00:00.000Z";
  const item = reportItem({
    ...{ skipReason: "LEFT_ALONE", counted: 0, variance: -5, areas: [] },
    leftAlone: { reason: "On loan", by: "admin", at },
  });
  answering({ item, deploy: { ...explanation().deploy, wouldMove: null, skipReason: "LEFT_ALONE" } });
  openPage(`${address}&row=LIN-S`);
  const opened = within(await screen.findByRole("dialog", { name: "Why 0?" }));
  opened.getByText(/^A deploy leaves it out: left alone on purpose by admin, .+: “On loan”\.$/);
});

it("loading shows at once, and a failure can be tried again", async () => {
  const server = reportServer();
  const later = server.answerLater(explainRow, explanation());
  openPage(`${address}&row=LIN-S`);
  await screen.findByText("Adding up the scans…");
  later.release();
  await part("Where it was counted");
});

it("a row that can't be explained says so, and asks again", async () => {
  const server = reportServer();
  server.refuse(explainRow, "NOT_FOUND", "The SKU NOTHING was not found.");
  openPage(`${address}&row=NOTHING`);
  const failed = within(await screen.findByRole("dialog", { name: "Why this count?" }));
  await failed.findByText("Failed to explain this row: The SKU NOTHING was not found.");
  server.answer(explainRow, explanation());
  await userEvent.click(failed.getByRole("button", { name: "Try Again" }));
  await part("Where it was counted");
});
