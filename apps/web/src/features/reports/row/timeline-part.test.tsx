import { explainRow } from "@stocktake/contract";
import { screen, within } from "@testing-library/react";
import { it } from "vitest";
import { openPage } from "../../../testing/open-page.tsx";
import { explainedScan, explanation } from "../testing/explanation-example.ts";
import { address, reportServer } from "../testing/report-server.ts";

it("says of a row of a file that it is of one, and only of what was typed on a device that it was typed", async () => {
  const typed = { method: "manual", input: "111" } as const;
  const scans = [
    explainedScan({ ...typed, _id: "of-file", deviceId: "a file", seq: 1 }),
    explainedScan({ ...typed, _id: "of-device", deviceId: "device-7", seq: 2, input: "222" }),
  ];
  reportServer().answer(explainRow, explanation({ scans, total: 2 }));
  openPage(`${address}&row=LIN-S`);
  const drawer = within(await screen.findByRole("dialog", { name: "Why 3?" }));
  const timeline = within(await drawer.findByRole("region", { name: "Scans and Shopify's stock" }));
  timeline.getByText(/by 111$/);
  timeline.getByText(/by 222, typed$/);
  timeline.getByText(/in a file of counts$/);
  timeline.getByText(/on device …vice-7$/);
});

it("says of a scan of packs how many packs of how many units they were", async () => {
  const packs = explainedScan({ input: "333", quantity: 24, packUnits: 12 });
  reportServer().answer(explainRow, explanation({ scans: [packs], total: 1 }));
  openPage(`${address}&row=LIN-S`);
  await screen.findByText("24 units by 333: 2 packs of 12");
});

it("says of a dismissed scan who dismissed it and why", async () => {
  const dismissed = explainedScan({
    ...({ status: "voided", reason: "DISMISSED", note: "torn" } as const),
    ...{ voidedAt: "2026-03-01T19:00:00.000Z", voidedBy: { username: "admin" } },
  });
  reportServer().answer(explainRow, explanation({ scans: [dismissed], total: 1 }));
  openPage(`${address}&row=LIN-S`);
  const drawer = within(await screen.findByRole("dialog", { name: "Why 3?" }));
  const timeline = within(await drawer.findByRole("region", { name: "Scans and Shopify's stock" }));
  timeline.getByText(/^dismissed by admin, .+: “torn”$/);
});
