import { expect, it } from "vitest";
import { countedArea } from "../opening/counting-area.ts";
import { areaOne } from "../testing/scripted-device.ts";
import { ScriptedShop } from "../testing/scripted-shop.ts";
import { openStationAlone, otherShirt, type StationHarness } from "../testing/station-harness.ts";

const ann = "user-2";

/** Ann scans on a phone, one of it an unknown code; then Mia does, who goes on with it, while Tom counts with another one. */
async function afterAnn(): Promise<StationHarness> {
  const shop = new ScriptedShop();
  shop.usernames.set(ann, "Ann");
  const harness = await openStationAlone({ shop });
  const { device } = harness;
  await harness.waitUntilReady();
  const product = { sku: "SHIRT-L", productTitle: "Linen Shirt", size: "L" };
  const byAnn = { area: countedArea(areaOne, 1), method: "scan", scannedById: ann } as const;
  for (let scans = 0; scans < 10; scans += 1) {
    await device.scan({
      ...byAnn,
      input: otherShirt,
      inputType: "barcode",
      localOutcome: "counted",
      ...product,
    });
  }
  const unknown = { sku: null, productTitle: null, size: null };
  await device.scan({
    ...byAnn,
    input: "unknown-1",
    inputType: "barcode",
    localOutcome: "unresolved",
    ...unknown,
  });
  await harness.countOne();
  shop.othersCounted = true;
  const seen = { holdsScans: false, silentSince: null };
  shop.devices = [
    { deviceId: device.deviceId, usernames: ["Ann", "Mia"], yours: true, ...seen },
    { deviceId: "device-of-tom", usernames: ["Tom"], ...seen },
  ];
  return harness;
}

/** The same, once the phone has only what the server has kept. */
async function withoutRows(): Promise<StationHarness> {
  const before = await afterAnn();
  before.close();
  await before.device.database.clear("pendingScans");
  const { device, shop } = before;
  const harness = await openStationAlone({ device, shop });
  await harness.waitUntilCounted(11);
  return harness;
}

it.each([
  ["by its rows", afterAnn],
  ["by the server's list", withoutRows],
])("S37: what a former person scanned on the phone is no part of one's own count, %s", async (_, begin) => {
  const { station, state, count } = await begin();
  expect(count()).toBe(11);
  station.openDialog("finish");
  // What the phone shows is asked about all the same.
  await station.finish(11, "area");
  expect(state().finishQuestion).toEqual({ asks: "whose", of: "area", declaredTotal: 11, isOwnCount: false });
  await station.finish(1, "area");
  expect(state().finishQuestion).toEqual({ asks: "whose", of: "area", declaredTotal: 1, isOwnCount: true });
});

it("S37: nor is what was unknown of theirs asked about, of a total of one's own", async () => {
  const { station, state, shop } = await afterAnn();
  station.openDialog("finish");
  await station.finish(12, "own");
  expect(state().finishQuestion).toBeNull();
  expect(shop.requests).toContain("POST /api/area/finish");
});

it("S37: whoever else counted with the phone is named, also without a network", async () => {
  const { station, shop, device } = await withoutRows();
  expect(await station.readFinishFigures()).toMatchObject({ sharedWith: ["Ann"] });
  shop.isAway = true;
  device.connectivity.report(false);
  expect(station.ownFigures()).toMatchObject({ sharedWith: ["Ann"] });
});
