import {
  type ControlSample,
  controlSamples,
  listCountAdjustments,
  listCountedAreas,
  productMap,
  readCoverage,
} from "@stocktake/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { openPage } from "../../testing/open-page.tsx";
import { group, serveWaiting } from "./exceptions/testing/waiting-scans.ts";
import { address, reportServer, wholeReport } from "./testing/report-server.ts";

const failed = "Failed to fetch data";

const sample: ControlSample = {
  ...{ number: 1, drawnAt: "2026-03-01T10:00:00.000Z", drawnBy: { username: "admin" }, reason: null },
  ...{
    seed: "5eed",
    commitment: { hash: "c0ffee", committedAt: "2026-03-01T08:00:00.000Z", closedAreas: 0 },
  },
  ...{ status: "finished", voidedAt: null, voidedBy: null, voidReason: null, areas: 80, units: 8_300 },
  ...{ drawn: [], drawnUnits: 0, counted: 0, differing: 0, differingUnits: 0, excluded: [] },
  ...{ atMost: { areas: 76, units: 8_100 }, notClosed: 2, countedTwice: 1 },
};

it("keeps what is open, the counted areas and the control samples while they can't be read again", async () => {
  const server = reportServer();
  server.answer(readCoverage, {
    open: [{ kind: "sheets", count: 1, names: ["7"] }],
    ...{ certificate: null, canIssue: false },
  });
  server.answer(listCountedAreas, {
    areas: [{ _id: "area-1", code: "A1", name: "Window", locationName: "Floor", skus: 4, fast: null }],
  });
  server.answer(controlSamples, { commitment: null, available: 0, samples: [sample], next: null, total: 1 });
  const { client } = openPage(address);
  await wholeReport();
  const shown = [
    await screen.findByRole("region", { name: "Coverage" }),
    await screen.findByRole("table", { name: "How Each Area Was Counted" }),
    await screen.findByRole("heading", { name: /^Control Samples/ }),
  ];
  for (const call of [readCoverage, listCountedAreas, controlSamples]) server.loseNetwork(call);
  await client.invalidateQueries();
  await screen.findByText("Failed to fetch what is open");
  await screen.findByText("Failed to fetch how the areas were counted");
  await screen.findByText(failed);
  expect(shown.filter((part) => !part.isConnected)).toEqual([]);
});

it("keeps the changes of a count that were made by hand while they can't be read again", async () => {
  const server = reportServer();
  const change = { _id: "1", sku: "LIN-M", previousCount: 8, newCount: 5, reason: "Two were damaged" };
  server.answer(listCountAdjustments, {
    counts: [{ ...change, adjustedAt: "2026-03-02T08:00:00.000Z", adjustedBy: null }],
  });
  const { client } = openPage(address);
  await userEvent.click(await screen.findByRole("button", { name: "Adjust Count of LIN-M" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Adjust Count" }));
  const changes = await dialog.findByRole("list", { name: "Previous Adjustments" });
  server.loseNetwork(listCountAdjustments);
  await client.invalidateQueries();
  await dialog.findByText(failed);
  expect(changes).toHaveProperty("isConnected", true);
});

it("keeps what was typed and chosen of the products for a scan while they can't be read again", async () => {
  const server = reportServer();
  serveWaiting(server, [group()]);
  const { client } = openPage(address);
  await userEvent.click(await screen.findByRole("button", { name: "Resolve to Product: 4006381" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Resolve Scan" }));
  const field = await dialog.findByRole("textbox", { name: "Product" });
  await waitFor(() => expect(document.activeElement).toBe(field));
  await userEvent.type(field, "linen");
  server.loseNetwork(productMap);
  await client.invalidateQueries();
  await dialog.findByText("Failed to sync products");
  expect(field).toHaveProperty("isConnected", true);
  expect(field).toHaveProperty("value", "linen");
  dialog.getByText("Chosen: Linen Shirt · M · LIN-M");
});
