import { explainRow, includeFigures, type ReportItem, varianceReport } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { reportItem } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { explanation } from "../testing/explanation-example.ts";
import { address, report, reportServer } from "../testing/report-server.ts";

const sku = "LIN-S";
const read: ReportItem = reportItem({
  ...{ sku, counted: 5, variance: -2, skipReason: "COUNTED_AFTER_END" },
  ...{ uncertain: "COUNTED_AFTER_END", uncertainReasons: ["COUNTED_AFTER_END"] },
});
const both = ["COUNTED_AFTER_END", "UNDONE_AFTER_END"] as const;
const now: ReportItem = { ...read, counted: 6, variance: -1, uncertainReasons: [...both] };
const seen = { sku, counted: 5, uncertainReasons: ["COUNTED_AFTER_END"] };
const seenNow = { sku, counted: 6, uncertainReasons: [...both] };
const refusal = "The figure of LIN-S has changed since you read it.";

/** The row as it is shown. */
const row = async () => within(await screen.findByRole("table", { name: "Variance Report" }));

describe("an uncertain figure is included as it was read", () => {
  it("and refused, with the figure as it is now, where it is another", async () => {
    const server = reportServer({ items: [read] });
    const sent = server.refuse(includeFigures, "CHANGED_MEANWHILE", refusal);
    openPage(address);
    const include = await screen.findByRole("button", { name: "Include: LIN-S" });
    server.answer(varianceReport, report({ items: [now] }));
    await userEvent.click(include);
    await screen.findByText(refusal);
    expect(sent[0]?.body).toEqual({ skus: [sku], included: true, seen: [seen] });
    await (await row()).findByText(
      "Uncertain: counted after the end, and its stock may have moved since; a scan of it was undone on a device, and the undo arrived after the session had ended – won't be deployed until you decide",
    );
    (await row()).getByText("6");
    const again = server.answer(includeFigures, { skus: [sku], included: true });
    await userEvent.click(screen.getByRole("button", { name: "Include: LIN-S" }));
    await screen.findByText("LIN-S is included: the next deploy applies its count as it is.");
    expect(again[0]?.body).toEqual({ skus: [sku], included: true, seen: [seenNow] });
    expect(screen.queryByText(refusal)).toBeNull();
  });

  it("in the drawer that says why, too", async () => {
    const server = reportServer({ items: [read] });
    server.answer(explainRow, explanation({ item: read }));
    const sent = server.refuse(includeFigures, "CHANGED_MEANWHILE", refusal);
    openPage(`${address}&row=LIN-S`);
    const drawer = within(await screen.findByRole("dialog", { name: "Why 5?" }));
    const include = await drawer.findByRole("button", { name: "Include" });
    server.answer(explainRow, explanation({ item: now }));
    await userEvent.click(include);
    const opened = within(await screen.findByRole("dialog", { name: "Why 6?" }));
    opened.getByText(refusal);
    opened.getByText(/: Uncertain: counted after the end, .+; a scan of it was undone on a device, /);
    expect(sent[0]?.body).toEqual({ skus: [sku], included: true, seen: [seen] });
    const again = server.answer(includeFigures, { skus: [sku], included: true });
    await userEvent.click(opened.getByRole("button", { name: "Include" }));
    await waitFor(() => expect(again[0]?.body).toMatchObject({ seen: [seenNow] }));
    await waitFor(() => expect(opened.queryByText(refusal)).toBeNull());
  });

  it("and without what was read where the server does not say all of it", async () => {
    const { uncertainReasons: _, ...less } = read;
    const sent = reportServer({ items: [less] }).answer(includeFigures, { skus: [sku], included: true });
    openPage(address);
    await userEvent.click(await screen.findByRole("button", { name: "Include: LIN-S" }));
    await waitFor(() => expect(sent[0]?.body).toEqual({ skus: [sku], included: true }));
  });
});
