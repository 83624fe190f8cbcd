import { expect, it } from "vitest";
import { openStation } from "./testing/counter-harness.tsx";
import { count, scannerInEachTest } from "./testing/scanning-hand.ts";
import { ScriptedShop } from "./testing/scripted-shop.ts";

const hand = scannerInEachTest();

it("S3: without an answer about the device's number counting starts with its own after three seconds", async () => {
  const shop = new ScriptedShop();
  const release = shop.hold("/api/device-max-seq");
  const { device } = await openStation({ shop });
  await hand.firstScan();
  expect(count()).toBe("1");
  expect(await device.database.getAll("pendingScans")).toMatchObject([{ seq: 1 }]);
  release();
});
