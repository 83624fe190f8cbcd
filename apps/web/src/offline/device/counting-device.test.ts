import { afterEach, expect, it, vi } from "vitest";
import type { ScanDraft } from "../outbox/append.ts";
import { createProductWriter } from "../products/product-writer.ts";
import { areaOne } from "../testing/engine-harness.ts";
import { clearDevice } from "../testing/fresh-database.ts";
import { createManualClock, createSeededRandomness } from "../testing/manual-clock.ts";
import { type CountingDevice, openCountingDevice } from "./counting-device.ts";

let opened: CountingDevice | null = null;

afterEach(() => {
  opened?.close();
  opened = null;
});

async function openDevice(fetch: typeof globalThis.fetch) {
  clearDevice();
  const clock = createManualClock();
  opened = await openCountingDevice({
    ...{ clock, timers: clock, random: createSeededRandomness(), fetch },
    productWriterFor: createProductWriter,
    ...{
      hasNetwork: () => true,
      locks: undefined,
      channel: null,
      onUnauthenticated: () => undefined,
      onLost: () => undefined,
      kept: null,
    },
  });
  return { clock, device: opened };
}

const draft: ScanDraft = {
  ...{ area: areaOne, input: "4006381333931", inputType: "barcode", method: "scan", scannedById: "user-1" },
  ...{ localOutcome: "counted", sku: "SKU-1", productTitle: "Shirt", size: "M" },
};

it("S12, S19: a proxy's page in response to the probe does not count as a response of the server", async () => {
  const fetch = vi.fn(async () => new Response("<html>Bad Gateway</html>", { status: 502 }));
  const { device } = await openDevice(fetch);
  const changes: boolean[] = [];
  device.connectivity.subscribe((online) => changes.push(online));
  await vi.waitFor(() => expect(changes).not.toEqual([]));
  await new Promise((resolve) => setImmediate(resolve));
  expect(changes).toEqual([false]);
});

it("S27: acknowledged rows are also deleted in a page that stays open for days", async () => {
  const { clock, device } = await openDevice(async () => Response.json({}));
  const { id } = await device.scan(draft);
  const row = await device.database.get("pendingScans", id);
  if (row === undefined) throw new Error("The scan was not stored.");
  await device.database.put("pendingScans", { ...row, synced: true });
  await device.scan(draft);
  clock.advance(15 * 24 * 60 * 60 * 1000);
  await vi.waitFor(async () => expect(await device.database.count("pendingScans")).toBe(1));
});
