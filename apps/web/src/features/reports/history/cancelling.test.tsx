import { type Adjustment, cancelAdjustment, listAdjustments } from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { adjustment } from "../../../testing/examples.ts";
import { openPage } from "../../../testing/open-page.tsx";
import { timeText } from "../../../ui/formats.ts";
import { address, reportServer, wholeReport } from "../testing/report-server.ts";

const until = "2026-03-02T14:05:00.000Z";

const waiting = (changes: Partial<Adjustment> = {}) =>
  adjustment({
    status: "pending",
    progress: { done: 1, of: 2 },
    waiting: { until, reason: "throttled" },
    ...changes,
  });

describe("a deploy that Shopify asks to wait", () => {
  it("says until when, at the top and with its entry, and that it goes on by itself", async () => {
    reportServer({ deployed: true }, [waiting()]);
    openPage(address);
    await wholeReport();
    expect(await screen.findAllByText(`Shopify asks us to wait until ${timeText(until)}`)).toHaveLength(2);
    screen.getByText(/It goes on by itself then, even if you leave this page/);
  });

  it("is cancelled once that was confirmed, and then says that it is being stopped", async () => {
    const server = reportServer({ deployed: true }, [waiting()]);
    const sent = server.answer(cancelAdjustment, { adjustment: waiting({ cancelling: true }) });
    openPage(address);
    await userEvent.click(await screen.findByRole("button", { name: "Cancel Deploy" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Cancel Deploy?" }));
    dialog.getByText(/What has been moved so far stays moved/);
    expect(sent).toEqual([]);
    server.answer(listAdjustments, { adjustments: [waiting({ waiting: null, cancelling: true })] });
    await userEvent.click(dialog.getByRole("button", { name: "Cancel Deploy" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(sent.map(({ path }) => path)).toEqual(["/api/report/adjustments/adjustment-1/cancel"]);
    await screen.findByText("It stops as soon as the outcome of what was already sent to Shopify is known.");
    expect(screen.getByRole("button", { name: "Cancelling..." })).toHaveProperty("disabled", true);
  });

  it("that ended meanwhile says so in the dialog", async () => {
    const server = reportServer({ deployed: true }, [waiting()]);
    server.refuse(cancelAdjustment, "NOTHING_TO_CANCEL", "It has ended already.");
    openPage(address);
    await userEvent.click(await screen.findByRole("button", { name: "Cancel Deploy" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Cancel Deploy?" }));
    await userEvent.click(dialog.getByRole("button", { name: "Cancel Deploy" }));
    await dialog.findByText("Failed to cancel: It has ended already.");
  });
});

it("a deploy that cannot reach Shopify says when it tries again", async () => {
  reportServer({ deployed: true }, [waiting({ waiting: { until, reason: "unavailable" } })]);
  openPage(address);
  await screen.findAllByText(`Shopify can't be reached. Next try at ${timeText(until)}`);
});
