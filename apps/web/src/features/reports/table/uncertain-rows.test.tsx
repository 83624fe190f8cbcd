import { includeFigures } from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { reportItem, reportSummary } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { address, reportServer } from "../testing/report-server.ts";

const uncertain = { sku: "LIN-S", variance: -2, uncertain: "COUNTED_AFTER_END" } as const;
const words = "Uncertain: counted after the end, and its stock may have moved since";

describe("a row whose figure is uncertain", () => {
  it("says why, once, and how many wait for a decision", async () => {
    const items = [reportItem({ ...uncertain, skipReason: "COUNTED_AFTER_END" }), reportItem()];
    reportServer({ items, summary: reportSummary({ uncertain: 1 }) });
    openPage(address);
    const table = within(await screen.findByRole("table", { name: "Variance Report" }));
    expect(table.getAllByText(/Uncertain/).map(({ textContent }) => textContent)).toEqual([
      `${words} – won't be deployed until you decide`,
    ]);
    screen.getByText(/^1 row is uncertain and won't be deployed until you decide/);
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Show" }), "Uncertain");
    expect(table.queryByText("LIN-M")).toBeNull();
    table.getByText("LIN-S");
  });

  it("is included by its button", async () => {
    const server = reportServer({ items: [reportItem({ ...uncertain, skipReason: "COUNTED_AFTER_END" })] });
    server.answer(includeFigures, { skus: ["LIN-S"], included: true });
    openPage(address);
    await userEvent.click(await screen.findByRole("button", { name: "Include: LIN-S" }));
    await screen.findByText("LIN-S is included: the next deploy applies its count as it is.");
  });

  it("that is included can be left out again, until it is deployed", async () => {
    const items = [reportItem({ ...uncertain, included: true })];
    reportServer({ items, deployed: true });
    openPage(address);
    await screen.findByText(`${words} – included by an administrator`);
    const button = screen.getByRole<HTMLButtonElement>("button", { name: "Leave Out: LIN-S" });
    expect(button.disabled).toBe(true);
  });
});
