import { passOfNoCount } from "@stocktake/contract";
import { epcOf } from "@stocktake/testkit/epc";
import { expect, it, vi } from "vitest";
import { messages } from "../messages.ts";
import { countedArea } from "../opening/counting-area.ts";
import { areaOne } from "../testing/scripted-device.ts";
import { openStationAlone, otherShirt, type StationHarness, shirt } from "../testing/station-harness.ts";

const areaTwo = { ...areaOne, areaId: "area-2", area: { code: "A2", name: "Area A2" } };

/** As a reader types: no time lies between two tags. */
function read(harness: StationHarness, ...epcs: readonly string[]): void {
  for (const epc of epcs) harness.scan(epc, 0);
}

/** A station on the first area whose one tag the server has. */
async function openWithRead() {
  const first = await openStationAlone();
  await first.waitUntilReady();
  const tag = epcOf(shirt, 1);
  read(first, tag);
  await first.waitUntilCounted(1);
  await first.waitUntilSent();
  return { first, tag };
}

const rows = (harness: StationHarness) => harness.device.database.count("pendingScans");

it("S41: tags count the product with their GTIN, each one once, as fast as a reader types them", async () => {
  const harness = await openStationAlone();
  await harness.waitUntilReady();
  const tags = Array.from({ length: 20 }, (_each, serial) =>
    epcOf(serial % 2 === 0 ? shirt : otherShirt, serial),
  );
  read(harness, ...tags);
  await harness.waitUntilCounted(20);
  expect(harness.shown()).toContain("Linen Shirt · L");
  await harness.waitUntilSent();
  expect(harness.shop.scanning.total("A1")).toBe(20);
  expect(harness.shop.scanning.inputs()).toEqual(tags);
});

it("S44: a tag that was read before in the pass is not stored again, and says so without a sound", async () => {
  const harness = await openStationAlone();
  await harness.waitUntilReady();
  const tag = epcOf(shirt, 1);
  read(harness, tag, tag, tag.toLowerCase(), tag);
  await harness.waitUntilShown("Already counted Linen Shirt · M");
  expect(harness.sounds).toEqual(["beep"]);
  expect(harness.count()).toBe(1);
  expect(await rows(harness)).toBe(1);
  // Nor after a reload, nor without a network.
  await harness.waitUntilSent();
  harness.shop.isAway = true;
  const reopened = await openStationAlone({ shop: harness.shop, device: harness.device });
  await reopened.waitUntilReady();
  await reopened.waitUntilShown("Using offline product data");
  expect(reopened.count()).toBe(1);
  read(reopened, tag);
  await reopened.waitUntilShown("Already counted");
  expect(await rows(reopened)).toBe(1);
});

it("S43, S44: an undone tag can be read again, and so can all once the area is counted again", async () => {
  const harness = await openStationAlone();
  await harness.waitUntilReady();
  const tag = epcOf(shirt, 1);
  read(harness, tag);
  await harness.waitUntilCounted(1);
  harness.clock.advance(1_000);
  harness.station.undo();
  await harness.waitUntilCounted(0);
  await expect.poll(() => harness.sounds.at(-1)).toBe("knock");
  read(harness, tag);
  await harness.waitUntilCounted(1);
  await harness.waitUntilSent();
  harness.shop.scanning.nextPass("A1", "AREA_RESET");
  harness.scan(shirt);
  await expect.poll(() => harness.state().pass).toBe(2);
  read(harness, tag);
  await harness.waitUntilCounted(1);
  await expect.poll(() => harness.shop.scanning.total("A1")).toBe(1);
});

it("S42, S44: in another area it is sent once, counts in the first, and stands as set aside, offline too", async () => {
  const { first, tag } = await openWithRead();
  first.close();
  first.shop.isAway = true;
  const second = await openStationAlone({ shop: first.shop, device: first.device, area: areaTwo });
  await second.waitUntilReady();
  await second.waitUntilShown("Using offline product data");
  read(second, tag, tag, epcOf(shirt, 2));
  await second.waitUntilCounted(1);
  expect(second.state().unknown).toMatchObject([{ input: tag, sku: "SHIRT-M" }]);
  expect(second.sounds).toEqual(["chime", "buzz", "beep"]);
  expect(await rows(second)).toBe(3);
  first.shop.isAway = false;
  second.device.engine.retryNow();
  await expect.poll(() => second.shop.scanning.total("A2")).toBe(1);
  expect(second.shop.scanning.total("A1")).toBe(1);
  expect(second.shop.scanning.scans.filter(({ reason }) => reason === "TAG_ELSEWHERE")).toHaveLength(1);
  expect(second.count()).toBe(1);
});

it("S44: a tag counts where it was read also after something was scanned there that is of no count", async () => {
  const { first, tag } = await openWithRead();
  await first.device.scan({
    area: countedArea(areaOne, passOfNoCount),
    ...{ input: shirt, inputType: "barcode", method: "scan", scannedById: "user-1" },
    ...{ localOutcome: "counted", sku: "SHIRT-M", productTitle: "Linen Shirt", size: "M" },
  });
  first.close();
  first.shop.isAway = true;
  const second = await openStationAlone({ shop: first.shop, device: first.device, area: areaTwo });
  await second.waitUntilReady();
  read(second, tag);
  await expect.poll(() => second.state().unknown).toMatchObject([{ input: tag, sku: "SHIRT-M" }]);
});

it("S41, S44: what another reader has counted here comes off this one's count, without a sound", async () => {
  const harness = await openStationAlone();
  await harness.waitUntilReady();
  const tag = epcOf(shirt, 1);
  harness.shop.scanning.countElsewhere(tag, harness.clock.now());
  read(harness, tag);
  await harness.waitUntilShown("Already counted Linen Shirt");
  await harness.waitUntilCounted(0);
  expect(harness.sounds).toEqual(["beep"]);
  read(harness, tag);
  await harness.waitUntilSent();
  expect(await rows(harness)).toBe(1);
});

it("S44: a tag whose GTIN nobody has is set aside once, and a tag's entry has no quantity to change", async () => {
  const harness = await openStationAlone();
  await harness.waitUntilReady();
  harness.shop.isAway = true;
  const stranger = epcOf("9780306406157", 3);
  read(harness, stranger, stranger, epcOf(shirt, 1));
  await harness.waitUntilCounted(1);
  expect(harness.state().unknown).toMatchObject([{ input: stranger, sku: null }]);
  expect(await rows(harness)).toBe(2);
  const [entry] = harness.state().tally;
  if (entry === undefined) throw new Error("Nothing was counted.");
  harness.station.setQuantity(entry, 12);
  read(harness, epcOf(shirt, 2));
  await harness.waitUntilCounted(2);
});

it("S44: a total that is declared before the server has answered is declared again where others had read the tags before", async () => {
  const harness = await openStationAlone();
  await harness.waitUntilReady();
  const [first, second, third] = [1, 2, 3].map((serial) => epcOf(shirt, serial));
  if (first === undefined || second === undefined || third === undefined) throw new Error("There is no tag.");
  harness.shop.isAway = true;
  read(harness, first, second);
  await harness.waitUntilCounted(2);
  harness.station.openDialog("finish");
  harness.shop.isAway = false;
  for (const tag of [first, third]) harness.shop.scanning.countElsewhere(tag, harness.clock.now());
  harness.device.engine.retryNow();
  await harness.waitUntilCounted(1);
  // What the two readers showed together when the total was asked for.
  await harness.station.finish(4, "area");
  await harness.waitUntilShown("The count has changed");
  expect(harness.shop.scanning.passOf("A1")).toBe(1);
  harness.station.openDialog("finish");
  await harness.station.finish(3, "area");
  await harness.waitUntilShown("Area complete");
});

it("S44: a read that the server has refused is none: read again, the tag counts", async () => {
  const harness = await openStationAlone();
  await harness.waitUntilReady();
  const tag = epcOf(shirt, 1);
  harness.shop.scanning.missingAreas.add("A1");
  read(harness, tag);
  await harness.waitUntilShown("Not counted");
  harness.shop.scanning.missingAreas.delete("A1");
  read(harness, tag);
  await harness.waitUntilCounted(1);
  await expect.poll(() => harness.shop.scanning.total("A1")).toBe(1);
});

it("S44: a tag that the server has set aside for another area is not called counted when it is read again", async () => {
  const harness = await openStationAlone({ area: areaTwo });
  await harness.waitUntilReady();
  const tag = epcOf(shirt, 1);
  harness.shop.scanning.countElsewhere(tag, harness.clock.now());
  read(harness, tag);
  await harness.waitUntilShown("Already counted in another area");
  read(harness, tag);
  await harness.waitUntilShown("Read in another area: set aside Linen Shirt · M");
  expect(harness.sounds).toEqual(["beep", "buzz"]);
  expect(harness.count()).toBe(0);
  expect(await rows(harness)).toBe(1);
});

it("S1: a read of a tag while the storage is closed is told not to be counted, and the device looks at its storage", async () => {
  const reported = vi.fn();
  vi.stubGlobal("reportError", reported);
  const harness = await openStationAlone();
  await harness.countOne();
  const checked = vi.spyOn(harness.device, "checkStorage");
  harness.device.database.close();
  read(harness, epcOf(shirt, 1));
  await harness.waitUntilShown(messages.notSaved);
  expect([harness.state().notice?.kind, harness.sounds.at(-1), harness.count()]).toEqual([
    "error",
    "alarm",
    1,
  ]);
  expect(reported).toHaveBeenCalled();
  expect(checked).toHaveBeenCalledTimes(1);
});
