import {
  adjustCount,
  explainRow,
  includeFigures,
  type ReportItem,
  varianceReport,
} from "@stocktake/contract";
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

describe("a count is adjusted as it was read", () => {
  const changed =
    "The count was 5 when you opened this, and is 6 now. What you typed is still here, and replaces the count as it is now.";

  async function save(server: ReturnType<typeof reportServer>) {
    const sent = server.refuse(adjustCount, "CHANGED_MEANWHILE", "The count of LIN-S is 6 by now, not 5.");
    openPage(address);
    await userEvent.click(await screen.findByRole("button", { name: "Adjust Count of LIN-S" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Adjust Count" }));
    await userEvent.clear(dialog.getByLabelText("New Count"));
    await userEvent.type(dialog.getByLabelText("New Count"), "7");
    return {
      dialog,
      sent,
      press: () => userEvent.click(dialog.getByRole("button", { name: "Save Adjustment" })),
    };
  }

  it("and refused, with the count as it is now and what was typed, where it is another", async () => {
    const server = reportServer({ items: [read] });
    const { dialog, sent, press } = await save(server);
    server.answer(varianceReport, report({ items: [now] }));
    await press();
    await dialog.findByText("Failed to adjust count: The count of LIN-S is 6 by now, not 5.");
    expect(sent[0]?.body).toMatchObject({ newCount: 7, seenCount: 5 });
    await dialog.findByText(changed);
    expect(dialog.getByText(/^Current Count/).textContent).toBe("Current Count: 6");
    expect(dialog.getByLabelText("New Count")).toHaveProperty("value", "7");
    const again = server.answerLater(adjustCount, { previousCount: 6, newCount: 7 });
    server.answer(varianceReport, report({ items: [{ ...now, counted: 7 }] }));
    await press();
    await waitFor(() => expect(again.sent[0]?.body).toMatchObject({ newCount: 7, seenCount: 6 }));
    // The own change is nobody else's.
    expect(dialog.queryByText(/^The count was/)).toBeNull();
    again.release();
    await screen.findByText("The count of LIN-S was changed from 6 to 7.");
  });

  it("also where the report as it is shown has the row no longer", async () => {
    const server = reportServer({ items: [read] });
    const { dialog, press } = await save(server);
    server.answer(varianceReport, report({ items: [reportItem()] }));
    server.answer(explainRow, explanation({ item: now }));
    await press();
    await dialog.findByText(changed);
    const again = server.answer(adjustCount, { previousCount: 6, newCount: 7 });
    await press();
    await waitFor(() => expect(again[0]?.body).toMatchObject({ seenCount: 6 }));
  });
});
