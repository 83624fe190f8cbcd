import { expect, it } from "vitest";
import { openStationAlone, otherShirt, type StationHarness } from "../testing/station-harness.ts";

async function shirtTimes(harness: StationHarness, quantity: number): Promise<void> {
  const { station, state } = harness;
  const last = state().tally.at(-1);
  if (last === undefined) throw new Error("Nothing was counted.");
  station.setQuantity(last, quantity);
}

it("S33: ×12 makes the last product's entry twelve in all, here and on the server, and Undo Last takes all of them back", async () => {
  const harness = await openStationAlone();
  await harness.countOne();
  await shirtTimes(harness, 12);
  await harness.waitUntilCounted(12);
  expect(harness.shown()).toContain("×12");
  await harness.waitUntilSent();
  const counted = () => harness.shop.scanning.scans.filter(({ status }) => status === "counted");
  expect(counted().map(({ payload }) => payload.quantity)).toEqual([12]);
  harness.clock.advance(1_000);
  harness.station.undo();
  await harness.waitUntilCounted(0);
  await expect.poll(counted).toEqual([]);
});

it("S33: without a network twelve are twelve as well, and a reload and the way to the server keep them so", async () => {
  const harness = await openStationAlone();
  await harness.countOne();
  harness.shop.isAway = true;
  await shirtTimes(harness, 12);
  await harness.waitUntilCounted(12);
  const reopened = await openStationAlone({ shop: harness.shop, device: harness.device });
  await reopened.waitUntilCounted(12);
});

it("an entry that has gone meanwhile stays gone, and the same quantity changes nothing", async () => {
  const harness = await openStationAlone();
  await harness.countOne();
  const [entry] = harness.state().tally;
  if (entry === undefined) throw new Error("Nothing was counted.");
  harness.station.setQuantity(entry, 1);
  harness.scan(otherShirt);
  await harness.waitUntilCounted(2);
  harness.clock.advance(1_000);
  harness.station.undo();
  await harness.waitUntilCounted(1);
  harness.clock.advance(1_000);
  harness.station.undo();
  await harness.waitUntilCounted(0);
  harness.station.setQuantity(entry, 12);
  await harness.waitUntilSent();
  expect(harness.count()).toBe(0);
  expect(harness.shop.scanning.scans).toHaveLength(2);
});

it("an entry that has another number by now is made as many as were typed all the same", async () => {
  const harness = await openStationAlone();
  await harness.countOne();
  const { scanning } = harness.shop;
  scanning.renumber(scanning.scans[0]?.payload.opId ?? "", 2);
  harness.shop.isAway = true;
  await harness.countOne();
  const typedFor = harness.state().tally.at(-1);
  if (typedFor === undefined) throw new Error("Nothing was counted.");
  harness.shop.isAway = false;
  harness.device.engine.retryNow();
  await harness.waitUntilSent();
  expect(harness.state().tally.at(-1)?.seq).not.toBe(typedFor.seq);
  harness.station.setQuantity(typedFor, 12);
  await harness.waitUntilCounted(13);
  await harness.waitUntilSent();
  const counted = scanning.scans.filter(({ status }) => status === "counted");
  expect(counted.map(({ payload }) => payload.quantity ?? 1)).toEqual([1, 12]);
});

it("S33: the scan says what it takes the place of, also where the undo of that comes too late", async () => {
  const harness = await openStationAlone();
  await harness.countOne();
  harness.shop.isAway = true;
  await shirtTimes(harness, 12);
  await harness.waitUntilCounted(12);
  const { scanning } = harness.shop;
  scanning.closedAreas.add("A1");
  harness.shop.isAway = false;
  harness.device.engine.retryNow();
  await harness.waitUntilSent();
  const [one, twelve] = scanning.scans;
  expect(one).toMatchObject({ status: "counted" });
  expect(twelve).toMatchObject({ status: "late", payload: { quantity: 12, replaces: one?.payload.opId } });
  await harness.waitUntilCounted(1);
});
