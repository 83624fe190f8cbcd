import {
  adjustCount,
  type CallAnswer,
  deployReport,
  listSessions,
  rollbackReport,
  varianceReport,
} from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { adjustment, reportItem, session } from "../../testing/examples.ts";
import { openPage } from "../../testing/open-page.tsx";
import { pressOnceEnabled } from "../../testing/press.ts";
import { messages } from "./messages.ts";
import { address, report, reportServer } from "./testing/report-server.ts";

const deployed: CallAnswer<typeof deployReport> = { totalAdjustments: 2, status: "applied", skipped: [] };

async function open(button: string, dialog: string) {
  openPage(address);
  await userEvent.click(await screen.findByRole("button", { name: button }));
  const opened = within(await screen.findByRole("dialog", { name: dialog }));
  // What the question is about is looked up first.
  await waitFor(() => expect(opened.queryByRole("status")).toBeNull());
  return opened;
}

/** The red box that holds the words. */
async function findErrorBox(text: string): Promise<HTMLElement> {
  const words = await screen.findByText(text);
  const box = words.closest<HTMLElement>("[role=alert]");
  expect(box?.className).toBe("notice error");
  return box ?? words;
}

describe("while the report is read", () => {
  it("a spinner shows, which the report takes the place of [spec:2.reports.2]", async () => {
    const server = reportServer();
    const sessions = server.answerLater(listSessions, { sessions: [session()] });
    const reading = server.answerLater(varianceReport, report());
    openPage(address);
    await screen.findByRole("heading", { name: "Reports & Analytics" });
    expect(
      screen.getByText("Loading…").closest("[role=status]")?.querySelector(".mantine-Loader-root"),
    ).not.toBeNull();
    sessions.release();
    await screen.findByText("Selected");
    screen.getByText("Loading…");
    reading.release();
    await screen.findByRole("table", { name: "Variance Report" });
    await waitFor(() => expect(screen.queryByText("Loading…")).toBeNull());
  });

  it.each([
    ["before a deploy", false, "Not counted – won't be deployed"],
    ["after one", true, "Not counted – not deployed"],
  ])("a row that a deploy skips is marked %s", async (_when, isDeployed, remark) => {
    reportServer({ deployed: isDeployed, items: [reportItem({ variance: -1, skipReason: "NOT_COUNTED" })] });
    openPage(address);
    await screen.findByText(remark);
  });

  it("a row that was left alone on purpose says so, and the reason", async () => {
    const leftAlone = { reason: "On loan", by: "admin", at: "2026-03-02T08:00:00.000Z" };
    reportServer({ items: [reportItem({ variance: -1, skipReason: "LEFT_ALONE", leftAlone })] });
    openPage(address);
    await screen.findByText("Left alone on purpose: On loan – won't be deployed");
  });

  it.each([
    ["the sessions", listSessions, "The server is busy."],
    ["the report", varianceReport, "This session has not ended."],
  ] as const)("an error box shows where %s can't be read [spec:2.reports.2]", async (_what, call, said) => {
    reportServer().refuse(call, "SESSION_ACTIVE", said);
    openPage(address);
    const box = await findErrorBox(said);
    within(box).getByText("Error");
    expect(screen.queryByText("Loading…")).toBeNull();
  });
});

describe("a session that has ended", () => {
  it("is closed, which the reports call completed: an active one is not offered here [spec:4.3]", async () => {
    reportServer().answer(listSessions, { sessions: [session({ status: "active" })] });
    openPage("/admin/reports");
    await screen.findByText("No Completed Sessions");
    expect(screen.queryByRole("button", { name: /Harbour Street/ })).toBeNull();
  });
});

describe("a deploy", () => {
  it("is asked about first, and the question mentions that it updates inventory levels [spec:8.confirmation.9]", async () => {
    const sent = reportServer().answer(deployReport, deployed);
    const dialog = await open("Deploy to Shopify", "Deploy to Shopify?");
    dialog.getByText("Are you sure you want to deploy? This updates the inventory levels in Shopify.");
    expect(sent).toEqual([]);
    await userEvent.click(dialog.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(sent).toEqual([]);
  });

  it("can't be sent a second time while it is under way, nor once it is deployed [spec:5.9][spec:2.reports.6][spec:2.reports.7]", async () => {
    const server = reportServer();
    const deploying = server.answerLater(deployReport, deployed);
    const dialog = await open("Deploy to Shopify", "Deploy to Shopify?");
    await userEvent.click(dialog.getByRole("button", { name: "Deploy to Shopify" }));
    const busy = await dialog.findByRole("button", { name: "Deploying..." });
    expect(busy).toHaveProperty("disabled", true);
    await userEvent.click(busy);
    const [inDialog, onPage] = screen.getAllByRole("button", { name: "Deploying...", hidden: true });
    expect([inDialog, onPage].map((button) => Object(button).disabled)).toEqual([true, true]);
    server.answer(varianceReport, report({ deployed: true }));
    deploying.release();
    const done = await screen.findByRole("button", { name: "Deployed (Rollback to Re-enable)" });
    await userEvent.click(done);
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(deploying.sent).toHaveLength(1);
  });
});

describe("a rollback", () => {
  const rolledBackReport = () => reportServer({ deployed: true }, [adjustment()]);

  it("is asked about first, and the question mentions that it reverses all inventory changes [spec:8.confirmation.8]", async () => {
    const sent = rolledBackReport().answer(rollbackReport, { totalAdjustments: 2, status: "applied" });
    const dialog = await open("Rollback", "Roll back?");
    dialog.getByText(
      "Are you sure you want to roll back this adjustment? This reverses all inventory changes it made.",
    );
    expect(sent).toEqual([]);
    await userEvent.click(dialog.getByRole("button", { name: "Cancel" }));
    expect(sent).toEqual([]);
  });

  it("that is refused shows why after the specification's text [spec:8.prefix.1]", async () => {
    rolledBackReport().refuse(rollbackReport, "PLATFORM_UNAVAILABLE", "Shopify does not answer.");
    const dialog = await open("Rollback", "Roll back?");
    await pressOnceEnabled(dialog.getByRole("button", { name: "Rollback" }));
    await findErrorBox("Failed to rollback adjustment: Shopify does not answer.");
  });

  it("without an answer is reported, too [spec:8.prefix.1]", async () => {
    rolledBackReport().loseNetwork(rollbackReport);
    const dialog = await open("Rollback", "Roll back?");
    await pressOnceEnabled(dialog.getByRole("button", { name: "Rollback" }));
    await findErrorBox("Failed to rollback adjustment: The server did not respond.");
  });
});

describe("an adjusted count", () => {
  it("is reported as changed when the table has the new figure, not before", async () => {
    const server = reportServer();
    const sent = server.answer(adjustCount, { previousCount: 3, newCount: 9 });
    const dialog = await open("Adjust Count of LIN-M", "Adjust Count");
    const [small, medium] = report().items;
    const changed = [small, medium].flatMap((item) => (item === undefined ? [] : [{ ...item, counted: 9 }]));
    const again = server.answerLater(varianceReport, report({ items: changed }));
    await userEvent.click(dialog.getByRole("button", { name: "Save Adjustment" }));
    await waitFor(() => expect([sent.length, again.sent.length]).toEqual([1, 1]));
    dialog.getByRole("button", { name: "Saving..." });
    expect(screen.queryByText(/was changed from/)).toBeNull();
    again.release();
    await screen.findByText("The count of LIN-M was changed from 3 to 9.");
    const table = within(screen.getByRole("table", { name: "Variance Report" }));
    expect(table.getAllByText("9")).toHaveLength(2);
  });

  it("that is refused shows why after the specification's text [spec:8.prefix.3]", async () => {
    reportServer().refuse(adjustCount, "REPORT_DEPLOYED", "The report is deployed.");
    const dialog = await open("Adjust Count of LIN-M", "Adjust Count");
    await userEvent.click(dialog.getByRole("button", { name: "Save Adjustment" }));
    await findErrorBox("Failed to adjust count: The report is deployed.");
    expect(dialog.getByLabelText("New Count")).toHaveProperty("value", "3");
  });
});

it("units that were not counted are those that are in stock: what is below zero lies nowhere, and is said beside them", () => {
  const text = (items: number, units: number, belowZero: number) =>
    messages.notices.openAreas.text({ items, units, cost: null, belowZero });
  expect(text(5, 9, 2)).toMatch(
    /: 3 SKUs with 9 units were counted in no area\. .* 2 SKUs that were not counted have less than nothing in stock/,
  );
  expect(text(1, 0, 1)).toBe(
    "Everything that Shopify had in stock was counted elsewhere. 1 SKU that was not counted has less than nothing in stock in Shopify.",
  );
});
