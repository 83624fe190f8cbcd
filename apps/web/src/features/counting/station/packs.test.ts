import { expect, it } from "vitest";
import { ScriptedShop, shirtPack } from "../testing/scripted-shop.ts";
import { openStationAlone } from "../testing/station-harness.ts";

it("S35: a pack counts its units, says so, and Undo Last takes the whole pack back", async () => {
  const harness = await openStationAlone();
  await harness.countOne();
  harness.scan(shirtPack.code);
  await harness.waitUntilCounted(13);
  expect(harness.shown()).toContain("Linen Shirt · M · ×12");
  await harness.waitUntilSent();
  expect(harness.shop.scanning.scans.at(-1)?.payload).toMatchObject({ input: shirtPack.code });
  expect(harness.shop.scanning.scans.at(-1)?.payload.quantity).toBeUndefined();
  expect(harness.shop.scanning.total("A1")).toBe(13);
  harness.clock.advance(1_000);
  harness.station.undo();
  await harness.waitUntilCounted(1);
  await expect.poll(() => harness.shop.scanning.total("A1")).toBe(1);
});

it("S35: without a network a pack counts as well, and after a reload", async () => {
  const harness = await openStationAlone();
  await harness.countOne();
  harness.shop.isAway = true;
  harness.scan(shirtPack.code);
  await harness.waitUntilCounted(13);
  const reopened = await openStationAlone({ shop: harness.shop, device: harness.device });
  await reopened.waitUntilCounted(13);
});

it("S35: where the pack holds another number by now, the server's is what counts", async () => {
  const shop = new ScriptedShop();
  const harness = await openStationAlone({ shop });
  await harness.waitUntilReady();
  shop.packUnits = 10;
  harness.scan(shirtPack.code);
  await harness.waitUntilSent();
  await harness.waitUntilCounted(10);
});

it("S35: a pack that this device has not heard of is counted once the server has said so", async () => {
  const shop = new ScriptedShop();
  shop.packs = [];
  const harness = await openStationAlone({ shop });
  await harness.waitUntilReady();
  harness.scan(shirtPack.code);
  await harness.waitUntilShown("Counted after all");
  expect(harness.count()).toBe(12);
});
