import { expect, it } from "vitest";
import { messages } from "../messages.ts";
import { openStationAlone, shirt } from "../testing/station-harness.ts";

/** The station of a page whose storage was closed and has just been opened again. */
async function openAgain() {
  const { shop, device } = await openStationAlone();
  const station = await openStationAlone({ shop, device, deviceBefore: { ...device } });
  await station.waitUntilReady();
  return station;
}

it("S28: what is ended just after the storage was opened again may be half a code: it is not counted, and the banner says so", async () => {
  const { scan, shown, count, sounds, countOne } = await openAgain();
  expect(shown()).toBe(messages.storageReopened);
  const alarms = () => sounds.filter((sound) => sound === "alarm").length;
  const before = alarms();
  scan(shirt.slice(-8), 900);
  expect(shown()).toBe(messages.storageReopened);
  expect(alarms()).toBe(before + 1);
  await countOne();
  expect(count()).toBe(1);
});

it("S28: what the network and the products have to say does not replace the warning", async () => {
  const { shop, device, shown, countOne } = await openAgain();
  shop.isAway = true;
  device.connectivity.report(false);
  expect(shown()).toBe(messages.storageReopened);
  await countOne();
  expect(shown()).toContain("Saved locally");
});
