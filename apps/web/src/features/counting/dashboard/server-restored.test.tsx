import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { readSetting, type ScanDraft, settings } from "../../../offline/offline.ts";
import { countedArea } from "../opening/counting-area.ts";
import { openCounter } from "../testing/counter-harness.tsx";
import { allSent, shirt } from "../testing/scanning-hand.ts";
import { areaOne } from "../testing/scripted-device.ts";

const draft: ScanDraft = {
  ...{ area: countedArea(areaOne, 1), input: shirt, inputType: "barcode", method: "scan" },
  ...{
    scannedById: "user-1",
    localOutcome: "counted",
    sku: "SHIRT-M",
    productTitle: "Linen Shirt",
    size: "M",
  },
};
const resending = /^This device is resending 2 entries that the server may have lost/;
const sentAgain = /2 entries that it may have lost have been sent again/;

/** Two scans that the backup does not hold; the restored server does not take them yet. Returns what lets it. */
async function openAfterRestore() {
  const harness = await openCounter({ path: "/counter" });
  const { shop, device } = harness;
  const bringBack = shop.scanning.backup();
  for (const _scan of [1, 2]) await device.scan(draft);
  await allSent(harness);
  bringBack();
  const releases = ["/api/scan", "/api/scan/batch"].map((path) => shop.hold(path));
  await device.continueSequence(areaOne.sessionId);
  await screen.findByText(resending);
  return { ...harness, release: () => releases.map((release) => release()) };
}

it("S30: what is sent again is told until all of it has been answered, then as done until the person goes on", async () => {
  const harness = await openAfterRestore();
  harness.release();
  await screen.findByText(sentAgain);
  await allSent(harness);
  expect(screen.queryByText(/^This device is resending/)).toBeNull();
  await userEvent.click(await screen.findByRole("radio", { name: /Sales Floor/ }));
  await waitFor(() => expect(screen.queryByText(sentAgain)).toBeNull());
  expect(await readSetting(harness.device.database, settings.restored)).toBeNull();
});

it("S31: what is left to a person is told until it is closed", async () => {
  const harness = await openAfterRestore();
  const { device } = harness;
  const finish = await device.operate({ kind: "finish", area: draft.area, declaredTotal: 2 });
  harness.release();
  await allSent(harness);
  const row = await device.database.get("pendingSubmissions", finish.id);
  if (row === undefined) throw new Error("The finish was not kept.");
  await device.database.put("pendingSubmissions", { ...row, isLeft: true });
  await device.scan(draft);
  await screen.findByText(/^Check area A1: it had been finished or restarted/);
  await waitFor(() => expect(screen.queryByText(/^This device is resending/)).toBeNull());
  await userEvent.click(screen.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(screen.queryByText(/^Check area A1/)).toBeNull());
});
