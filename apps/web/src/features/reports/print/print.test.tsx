import {
  type Adjustment,
  type DecidedScan,
  decidedExceptions,
  exportScans,
  listShopifyLocations,
} from "@stocktake/contract";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { adjustment, admin, reportItem, session } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { dateTimeText, zoneText } from "../../../ui/formats.ts";
import { address, reportServer } from "../testing/report-server.ts";
import { fileTitle } from "./report-title.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** The SKUs of a table's rows, in their order. */
function skusIn(table: HTMLElement): (string | null)[] {
  return Array.from(table.querySelectorAll("button[data-sku]"), ({ textContent }) => textContent);
}

const dismissed: DecidedScan = {
  ...{
    _id: "21",
    decision: "dismissed",
    input: "777",
    quantity: 1,
    sku: null,
    productTitle: null,
    size: null,
  },
  ...{ area: { _id: "area-1", code: "A1", name: "Window" }, username: "Mia", decidedBy: "admin" },
  ...{ decidedAt: "2026-03-01T10:00:00.000Z", reason: "torn", canBeTakenBack: true },
};

it("the printed report begins with where, when and by whom it was counted, what it came to, and lines to sign on", async () => {
  vi.setSystemTime(new Date("2026-03-02T09:30:00.000Z"));
  const hash = "0123456789abcdef".repeat(4);
  const never = reportItem({ sku: "TEE", areas: [], counted: 0, endOnHand: 9, variance: -9, unitCost: 1 });
  const found = reportItem({ sku: "CAP", areas: [], counted: 0, endOnHand: -4, variance: 4, unitCost: null });
  const server = reportServer({
    items: [
      reportItem({ sku: "LIN-S", variance: 3 }),
      reportItem({ sku: "LIN-M", variance: -2 }),
      never,
      found,
    ],
    exceptions: { unresolved: 1, late: 1 },
    auditHash: hash,
    cover: {
      shopifyLocationId: "gid://shopify/Location/7",
      areas: 12,
      counters: [
        { username: "Mia", units: 1200 },
        { username: "Ben", units: 1 },
      ],
    },
  });
  const locations = [{ id: "gid://shopify/Location/7", name: "High Street" }];
  server.answer(listShopifyLocations, { locations });
  const { client } = openPage(address);
  await screen.findByRole("table", { name: "Variance Report" });
  await waitFor(() => expect(client.getQueryData(["shopify-locations"])).toBeDefined());
  expect(screen.queryByText("Audit hash", { selector: "dt" })).toBeNull();
  act(() => globalThis.dispatchEvent(new Event("beforeprint")));
  const title = await screen.findByText("Variance Report", { selector: ".print-only p" });
  const cover = title.parentElement;
  if (cover === null) throw new Error("The cover is nowhere.");
  const facts = new Map(
    within(cover)
      .getAllByRole("term", { hidden: true })
      .map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  );
  expect(Object.fromEntries(facts)).toMatchObject({
    Store: "Harbour Street",
    Printed: `${dateTimeText("2026-03-02T09:30:00.000Z")} by ${admin.username}`,
    "Times are in": zoneText("2026-03-02T09:30:00.000Z"),
    "Shopify location": "High Street gid://shopify/Location/7",
    Session: session()._id,
    "Counted by": "Mia (1,200 units), Ben (1 unit)",
    Areas: "12 areas, all closed",
    "Variances over": "+7 units, +$30.00, plus 1 SKU without a cost",
    "Variances short": "-11 units, -$29.00",
    "Of these never counted": "2 SKUs, +4, -9 units, -$9.00, plus 1 SKU without a cost",
    "Scans that need a decision": "2 scans need a decision",
    "In Shopify": "Not deployed",
    "Audit hash": hash,
    "Total Items": "10",
  });
  expect(within(cover).getAllByText("Name, date, signature")).toHaveLength(3);
  expect(document.title).toBe("Variance report 2026-03-01 Harbour Street abcdefgh");
});

const appliedAt = "2026-03-02T08:00:00.000Z";
const rolledBackAt = "2026-03-02T09:00:00.000Z";
const moved = `${dateTimeText(appliedAt)} by admin: 2 SKUs, +3, -2 units, +$10.00`;
const states: readonly (readonly [string, boolean, Partial<Adjustment>])[] = [
  [`Deployed ${moved}`, true, { status: "applied" }],
  [`Partly deployed ${moved}`, true, { status: "partial" }],
  [`Deployed ${moved.replace(" by admin", "")}`, true, { status: "applied", appliedBy: null }],
  ["Being deployed", true, { status: "pending" }],
  ["Being rolled back", true, { rollingBack: true }],
  [`Rolled back ${dateTimeText(rolledBackAt)}`, false, { rolledBackAt }],
  ["Not deployed", false, { status: "failed" }],
];

it.each(states)(
  "the cover says what has become of the count in Shopify, when, by whom, and what that moved: %s",
  async (said, deployed, entry) => {
    // What was not moved is in the variance, and not in what the deploy comes to.
    const items = [
      reportItem({ sku: "LIN-S", variance: 3, deployed: deployed ? 3 : 0, unitCost: 10 }),
      reportItem({ sku: "LIN-M", variance: -2, deployed: deployed ? -2 : 0, unitCost: 10 }),
      reportItem({ sku: "LIN-L", variance: -40, deployed: 0, unitCost: 10 }),
    ];
    reportServer({ deployed, items }, [
      adjustment({ appliedAt, appliedBy: { username: "admin" }, ...entry }),
    ]);
    openPage(address);
    await screen.findByRole("table", { name: "Adjustment History" });
    act(() => globalThis.dispatchEvent(new Event("beforeprint")));
    const state = await screen.findByText("In Shopify", { selector: "dt" });
    expect(state.nextElementSibling?.textContent).toBe(said);
  },
);

it("the file's name has the day that the cover has, in the zone of the browser", () => {
  vi.stubEnv("TZ", "America/New_York");
  const late = session({ endedAt: "2026-03-02T02:00:00.000Z" });
  expect(fileTitle(late)).toContain("2026-03-01");
  vi.stubEnv("TZ", "Pacific/Auckland");
  expect(fileTitle(late)).toContain("2026-03-02");
  vi.unstubAllEnvs();
});

it("the cover names no more areas and counters than leave room for the signatures, and says how many there are", async () => {
  const openAreas = Array.from({ length: 95 }, (_, at) => ({
    ...{ _id: `area-${at}`, code: `A${95 - at}`, name: `A${95 - at}`, locationId: "location-1" },
    status: "not_started" as const,
  }));
  const counters = Array.from({ length: 12 }, (_, at) => ({ username: `P${at + 1}`, units: 12 - at }));
  reportServer({
    session: session({ openAreas }),
    cover: { shopifyLocationId: "gid://shopify/Location/7", areas: 100, counters },
  });
  openPage(address);
  await screen.findByRole("table", { name: "Variance Report" });
  act(() => globalThis.dispatchEvent(new Event("beforeprint")));
  const fact = (label: string) => screen.getByText(label, { selector: "dt" }).nextElementSibling?.textContent;
  expect(fact("Areas")).toBe("100 areas, 95 not closed: A1, A2, A3, A4, A5, A6, A7, A8, and 87 more");
  expect(fact("Counted by")).toBe(
    "P1 (12 units), P2 (11 units), P3 (10 units), P4 (9 units), P5 (8 units), P6 (7 units), P7 (6 units), P8 (5 units), and 4 more (10 units)",
  );
});

it("every variance is printed whatever the screen is narrowed to, what nobody counted in a part of its own", async () => {
  const never = reportItem({ sku: "TEE", areas: [], counted: 0, endOnHand: 9, variance: -9 });
  reportServer({
    items: [reportItem({ sku: "LIN-S", variance: 3 }), never, reportItem({ sku: "LIN-M", variance: -2 })],
  });
  openPage(`${address}&show=shortages&q=lin-m`);
  await screen.findByText("1 of 3 items");
  expect(skusIn(screen.getByRole("table", { name: "Variance Report" }))).toEqual(["LIN-M"]);
  act(() => globalThis.dispatchEvent(new Event("beforeprint")));
  const report = within(screen.getByRole("region", { name: "Variance Report" }));
  report.getByText("3 items");
  const parts = report.getAllByRole("heading", { level: 3, hidden: true });
  expect(parts.map(({ textContent }) => textContent)).toEqual(["Counted (2)", "Never counted (1)"]);
  expect(report.getAllByRole("table").map(skusIn)).toEqual([["LIN-M", "LIN-S"], ["TEE"]]);
  act(() => globalThis.dispatchEvent(new Event("afterprint")));
  expect(report.getAllByRole("table").map(skusIn)).toEqual([["LIN-M"]]);
});

it("what is folded away is unfolded on paper, and folded again on the screen", async () => {
  const server = reportServer();
  server.answer(decidedExceptions, { scans: [dismissed], next: null, total: 1 });
  openPage(address);
  const decided = (await screen.findByText("Decided (1)")).closest("details");
  expect(decided?.open).toBe(false);
  act(() => globalThis.dispatchEvent(new Event("beforeprint")));
  expect(decided?.open).toBe(true);
  act(() => globalThis.dispatchEvent(new Event("afterprint")));
  expect(decided?.open).toBe(false);
});

it("the document is named as a file can be, whatever the store is called", () => {
  const storeId = { _id: "1", name: ' Bags/Belts: "5 & 6"  ' };
  expect(fileTitle(session({ storeId }))).toBe("Variance report 2026-03-01 Bags Belts 5 & 6 abcdefgh");
});

it("the file of scans that can't be had says so", async () => {
  reportServer().answerRaw(exportScans, 502, "");
  openPage(address);
  await userEvent.click(await screen.findByRole("button", { name: "Export Scans" }));
  await screen.findByText("Failed to export the scans");
});
