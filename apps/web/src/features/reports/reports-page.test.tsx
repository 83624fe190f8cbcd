import { adjustCount, listSessions, varianceReport } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { openPage } from "../../testing/open-page.tsx";
import { address, report, reportServer } from "./testing/report-server.ts";

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
