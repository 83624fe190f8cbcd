import {
  type Adjustment,
  adjustCount,
  type CallAnswer,
  deployReport,
  type ExceptionScan,
  listAdjustmentRows,
  listAdjustments,
  listAreas,
  listLocations,
  listSessions,
  productMap,
  resolveScan,
  rollbackReport,
  sessionExceptions,
  settleRow,
  varianceReport,
} from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { admin, area, location, reportItem, reportSummary, session } from "../../testing/examples.ts";
import { FakeServer } from "../../testing/fake-server.ts";
import { openPage } from "../../testing/open-page.tsx";

type Report = CallAnswer<typeof varianceReport>;

const ended = session();
const address = `/admin/reports?session=${ended._id}`;

function report(changes: Partial<Report> = {}): Report {
  return {
    session: ended,
    items: [
      reportItem({ sku: "LIN-S", size: "S", variance: 3, image: "https://img.example/1.jpg" }),
      reportItem({ sku: "LIN-M", size: "M", variance: -2, areas: ["Window", "Back"] }),
    ],
    summary: reportSummary(),
    basis: "end",
    deployed: false,
    exceptions: { unresolved: 0, late: 0 },
    ...changes,
  };
}

function adjustment(changes: Partial<Adjustment> = {}): Adjustment {
  return {
    _id: "adjustment-1",
    appliedAt: "2026-03-02T08:00:00.000Z",
    totalAdjustments: 2,
    status: "applied",
    rolledBackAt: null,
    appliedBy: { username: "admin" },
    rollingBack: false,
    note: null,
    ...changes,
  };
}

function reportServer(changes: Partial<Report> = {}, history: Adjustment[] = []): FakeServer {
  const server = new FakeServer(admin);
  server.answer(listSessions, { sessions: [ended, session({ _id: "running", status: "active" })] });
  server.answer(varianceReport, report(changes));
  server.answer(listAdjustments, { adjustments: history });
  server.answer(listAdjustmentRows, { rows: [] });
  server.answer(sessionExceptions, { scans: [] });
  return server;
}

async function openDeploy() {
  openPage(address);
  await userEvent.click(await screen.findByRole("button", { name: "Deploy to Shopify" }));
  return within(await screen.findByRole("dialog", { name: "Deploy to Shopify?" }));
}

describe("choosing a session", () => {
  it("without completed sessions says how to get one", async () => {
    reportServer().answer(listSessions, { sessions: [] });
    openPage("/admin/reports");
    await screen.findByText("No Completed Sessions");
    screen.getByText("Complete a counting session to generate reports");
    screen.getByText("View variance reports and inventory adjustments");
  });

  it("offers completed sessions only, and keeps the chosen one in the address", async () => {
    reportServer();
    const page = openPage("/admin/reports");
    const cards = await screen.findAllByRole("button", { name: /Harbour Street/ });
    expect(cards).toHaveLength(1);
    await userEvent.click(screen.getByRole("button", { name: /Harbour Street/ }));
    await screen.findByText("Selected");
    await screen.findByRole("region", { name: "Variance Report" });
    expect(page.address()).toBe(address);
  });
});

describe("the variance report", () => {
  it("has the specification's columns, signs and colours", async () => {
    reportServer();
    openPage(address);
    const table = within(await screen.findByRole("table", { name: "Variance Report" }));
    expect(table.getAllByRole("columnheader").map((cell) => cell.textContent)).toEqual([
      "Product",
      "SKU",
      "Start ON_HAND",
      "End ON_HAND",
      "Natural Movement",
      "Counted",
      "Variance",
      "Cost Impact",
      "Areas Found",
      "Actions",
    ]);
    expect(table.getByText("+3").style.color).toContain("positive");
    expect(table.getByText("-2").style.color).toContain("negative");
    expect(table.getByText("+$30.00").style.color).toContain("positive");
    table.getByText("Window, Back");
    table.getByText("2 sizes");
  });

  it("without rows says that everything matches", async () => {
    reportServer({ items: [] });
    openPage(address);
    await screen.findByText("No Variances Found");
    screen.getByText("All counted items match the expected inventory levels");
  });

  it("asks for every product where the administrator wants them all", async () => {
    const server = reportServer();
    const sent = server.answer(varianceReport, report());
    openPage(address);
    await userEvent.click(await screen.findByLabelText("Also show products without a variance"));
    await waitFor(() => expect(sent.map((call) => call.query.view)).toEqual(["variances", "all"]));
  });

  it("the picture opens whole and closes by a click or by ×", async () => {
    reportServer();
    openPage(address);
    const open = () => userEvent.click(screen.getByRole("button", { name: "Open image of Linen Shirt" }));
    await screen.findByRole("button", { name: "Open image of Linen Shirt" });
    await open();
    await userEvent.click(await screen.findByRole("img", { name: "Linen Shirt" }));
    await waitFor(() => expect(screen.queryByRole("img", { name: "Linen Shirt" })).toBeNull());
    await open();
    await userEvent.click(await screen.findByRole("button", { name: "Close" }));
    await waitFor(() => expect(screen.queryByRole("img", { name: "Linen Shirt" })).toBeNull());
  });

  it("a report that can't be read says so", async () => {
    reportServer().answerRaw(varianceReport, 502, "");
    openPage(address);
    await screen.findByText("Failed to fetch variance report");
  });
});

describe("deploying", () => {
  it("says what was never counted, in SKUs, units and money, and which areas were never closed", async () => {
    reportServer({
      session: session({ openAreas: [{ _id: "a", code: "B2", name: "Back", status: "in_progress" }] }),
      items: [
        reportItem({ variance: -4, counted: 0, skipReason: "NOT_COUNTED" }),
        reportItem({ sku: "2", variance: 1 }),
      ],
      summary: reportSummary({ notCounted: { items: 1, units: 4, cost: 40 } }),
    });
    const dialog = await openDeploy();
    dialog.getByText(/1 SKU with 4 units on hand, worth \$40\.00\. They stay as they are unless/);
    dialog.getByText(/1 area was never closed: B2 – Back/);
    dialog.getByText("1 SKU changes its stock in Shopify.");
    dialog.getByText(/This updates the inventory levels/);
  });

  it("says that what was never counted goes to zero where every area was closed", async () => {
    reportServer({
      items: [reportItem({ variance: -4, counted: 0 })],
      summary: reportSummary({ notCounted: { items: 1, units: 4, cost: 40 } }),
    });
    const dialog = await openDeploy();
    dialog.getByText(/Every area was closed, so they are set to zero/);
    expect(dialog.queryByRole("checkbox")).toBeNull();
  });

  it("sends nothing about zeroing unless it was chosen, and zeroing is asked for a second time", async () => {
    const server = reportServer({
      items: [reportItem({ variance: -4, counted: 0, skipReason: "NOT_COUNTED" })],
      summary: reportSummary({ notCounted: { items: 1, units: 4, cost: 40 } }),
    });
    const sent = server.answer(deployReport, { totalAdjustments: 1, status: "applied", skipped: [] });
    const dialog = await openDeploy();
    await userEvent.click(dialog.getByRole("checkbox", { name: /Also set what was never counted to zero/ }));
    await userEvent.click(dialog.getByRole("button", { name: "Deploy to Shopify" }));
    const second = within(await screen.findByRole("dialog", { name: /Set what was never counted to zero/ }));
    expect(sent).toEqual([]);
    await userEvent.click(second.getByRole("button", { name: "Set to Zero and Deploy" }));
    await screen.findByText("1 inventory adjustment was deployed to Shopify.");
    expect(sent[0]?.body).toEqual({ zeroUncounted: true });
  });

  it("nothing to move is said in the specification's words, and rows left out are listed with the reason", async () => {
    const sent = reportServer().answer(deployReport, {
      totalAdjustments: 0,
      status: "applied",
      skipped: [{ sku: "LIN-M", reason: "UNTRACKED" }],
    });
    const dialog = await openDeploy();
    await userEvent.click(dialog.getByRole("button", { name: "Deploy to Shopify" }));
    await screen.findByText("No inventory adjustments needed - all counts match expected values!");
    screen.getByText("LIN-M: Shopify does not track its inventory");
    expect(sent[0]?.body).toBeUndefined();
  });

  it("a refusal follows the specification's prefix", async () => {
    reportServer().refuse(deployReport, "PLATFORM_UNAVAILABLE", "Shopify does not answer.");
    const dialog = await openDeploy();
    await userEvent.click(dialog.getByRole("button", { name: "Deploy to Shopify" }));
    await dialog.findByText("Failed to deploy to Shopify: Shopify does not answer.");
  });

  it("a deployed report can neither be deployed nor adjusted until it is rolled back", async () => {
    reportServer({ deployed: true }, [adjustment()]);
    openPage(address);
    const button = await screen.findByRole("button", { name: "Deployed (Rollback to Re-enable)" });
    expect(button).toHaveProperty("disabled", true);
    for (const adjust of screen.getAllByRole("button", { name: /Adjust Count/ })) {
      expect(adjust).toHaveProperty("disabled", true);
    }
  });

  it("while a deploy is under way the button says Deploying...", async () => {
    reportServer({ deployed: true }, [adjustment({ status: "pending" })]);
    openPage(address);
    const button = await screen.findByRole("button", { name: "Deploying..." });
    expect(button).toHaveProperty("disabled", true);
  });
});

describe("adjusting a count", () => {
  async function openAdjust() {
    openPage(address);
    await userEvent.click(await screen.findByRole("button", { name: "Adjust Count of LIN-M" }));
    return within(await screen.findByRole("dialog", { name: "Adjust Count" }));
  }

  it.each(["", "-1", "1.5"])("%j can't be saved", async (entry) => {
    reportServer();
    const dialog = await openAdjust();
    await userEvent.clear(dialog.getByLabelText("New Count"));
    if (entry !== "") await userEvent.type(dialog.getByLabelText("New Count"), entry);
    expect(dialog.getByRole("button", { name: "Save Adjustment" })).toHaveProperty("disabled", true);
  });

  it("sends the integer and the reason, and says what changed", async () => {
    const sent = reportServer().answer(adjustCount, { previousCount: 3, newCount: 0 });
    const dialog = await openAdjust();
    dialog.getByText("Back");
    await userEvent.clear(dialog.getByLabelText("New Count"));
    await userEvent.type(dialog.getByLabelText("New Count"), "0");
    await userEvent.type(dialog.getByLabelText("Reason (Optional)"), "Damaged");
    await userEvent.click(dialog.getByRole("button", { name: "Save Adjustment" }));
    await screen.findByText("The count of LIN-M was changed from 3 to 0.");
    expect(sent[0]?.body).toEqual({ sku: "LIN-M", newCount: 0, reason: "Damaged" });
  });
});

describe("the adjustment history", () => {
  it("offers a rollback only for applied entries that were not rolled back", async () => {
    const sent = reportServer({ deployed: true }, [
      adjustment(),
      adjustment({ _id: "2", rolledBackAt: "2026-03-02T09:00:00.000Z", appliedBy: null }),
      adjustment({ _id: "3", status: "failed", note: "Shopify did not answer." }),
      adjustment({ _id: "4", status: "partial" }),
    ]).answer(rollbackReport, { totalAdjustments: 2, status: "applied" });
    openPage(address);
    const table = within(await screen.findByRole("table", { name: "Adjustment History" }));
    table.getByText("Rolled Back");
    table.getByText("System");
    table.getByText("Shopify did not answer.");
    await userEvent.click(table.getByRole("button", { name: "Rollback" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Roll back?" }));
    dialog.getByText(/This reverses all inventory changes/);
    await userEvent.click(dialog.getByRole("button", { name: "Rollback" }));
    await screen.findByText("2 inventory adjustments were rolled back.");
    expect(sent).toHaveLength(1);
  });

  it("an unclear row is settled by a person's word", async () => {
    const server = reportServer({ deployed: true }, [adjustment({ status: "partial" })]);
    server.answer(listAdjustmentRows, {
      rows: [
        {
          adjustmentId: "adjustment-1",
          sku: "LIN-M",
          delta: -2,
          state: "unclear",
          direction: "deploy",
          note: null,
        },
      ],
    });
    const sent = server.answer(settleRow, { adjustment: adjustment() });
    openPage(address);
    await userEvent.click(await screen.findByRole("button", { name: "Change Was Made: LIN-M" }));
    await waitFor(() => expect(sent[0]?.body).toEqual({ sku: "LIN-M", applied: true }));
  });
});

describe("scans that need a decision", () => {
  function scan(changes: Partial<ExceptionScan> = {}): ExceptionScan {
    return {
      _id: "11",
      status: "unresolved",
      reason: "UNKNOWN_CODE",
      input: "4006381",
      inputType: "barcode",
      sku: null,
      productTitle: null,
      size: null,
      area: { _id: "area-1", code: "A1", name: "Window" },
      pass: 1,
      deviceId: "d1",
      username: "Mia",
      scannedAt: "2026-03-01T09:00:00.000Z",
      before: null,
      after: null,
      ...changes,
    };
  }

  function exceptionsServer(scans: ExceptionScan[], changes: Partial<Report> = {}): FakeServer {
    const server = reportServer(changes);
    server.answer(sessionExceptions, { scans });
    server.answer(listLocations, { locations: [location()] });
    server.answer(listAreas, { areas: [area()] });
    server.answer(productMap, {
      products: [
        {
          sku: "LIN-M",
          barcode: null,
          productTitle: "Linen Shirt",
          size: "M",
          image: null,
          storeId: "store-1",
        },
        { sku: "HAT-1", barcode: null, productTitle: "Hat", size: null, image: null, storeId: "store-1" },
      ],
      etag: "1",
    });
    return server;
  }

  it("an unknown code is accepted as the product that the administrator finds", async () => {
    const server = exceptionsServer([scan()]);
    const sent = server.answer(resolveScan, {
      scan: { _id: "11", status: "counted", reason: null, sku: "LIN-M", areaId: "area-1", pass: 1 },
    });
    openPage(address);
    await userEvent.click(await screen.findByRole("button", { name: "Resolve to Product: 4006381" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Resolve Scan" }));
    await userEvent.type(await dialog.findByRole("textbox", { name: "Product" }), "linen");
    expect(dialog.queryByText(/Hat/)).toBeNull();
    await userEvent.click(dialog.getByRole("radio", { name: /Linen Shirt/ }));
    await userEvent.click(dialog.getByRole("button", { name: "Accept as This Product" }));
    await screen.findByText("The scan was accepted and is in the count now.");
    expect(sent[0]).toMatchObject({
      path: "/api/scans/11/resolve",
      body: { action: "accept", sku: "LIN-M", areaId: "area-1" },
    });
  });

  it("a late scan of a known product is accepted as it is", async () => {
    const server = exceptionsServer([scan({ status: "late", reason: "SESSION_CLOSED", sku: "LIN-M" })]);
    const sent = server.answer(resolveScan, {
      scan: { _id: "11", status: "counted", reason: null, sku: "LIN-M", areaId: "area-1", pass: 1 },
    });
    openPage(address);
    await userEvent.click(await screen.findByRole("button", { name: "Accept: 4006381" }));
    await waitFor(() => expect(sent[0]?.body).toEqual({ action: "accept" }));
  });

  it("dismissing asks first", async () => {
    const server = exceptionsServer([scan()]);
    const sent = server.answer(resolveScan, {
      scan: { _id: "11", status: "voided", reason: "DISMISSED", sku: null, areaId: "area-1", pass: 1 },
    });
    openPage(address);
    await userEvent.click(await screen.findByRole("button", { name: "Dismiss: 4006381" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Dismiss scan?" }));
    expect(sent).toEqual([]);
    await userEvent.click(dialog.getByRole("button", { name: "Dismiss" }));
    await waitFor(() => expect(sent[0]?.body).toEqual({ action: "dismiss" }));
  });

  it("nothing can be decided while the report is deployed", async () => {
    exceptionsServer([scan()], { deployed: true });
    openPage(address);
    const button = await screen.findByRole("button", { name: "Dismiss: 4006381" });
    expect(button).toHaveProperty("disabled", true);
  });
});
