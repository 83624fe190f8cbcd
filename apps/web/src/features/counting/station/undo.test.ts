import { expect, it } from "vitest";
import { countedArea } from "../opening/counting-area.ts";
import { areaOne } from "../testing/scripted-device.ts";
import { openStationAlone, otherShirt } from "../testing/station-harness.ts";

it("a double tap on Undo Last takes one scan back; a tap after it takes the next", async () => {
  const { station, clock, scan, count, shown, sounds, countOne, waitUntilCounted } = await openStationAlone();
  await countOne();
  scan(otherShirt);
  await waitUntilCounted(2);
  clock.advance(1_000);
  station.undo();
  clock.advance(250);
  station.undo();
  expect(count()).toBe(1);
  expect(shown()).toContain("Undone");
  clock.advance(50);
  station.undo();
  await waitUntilCounted(0);
  await expect.poll(() => sounds).toEqual(["beep", "beep", "knock", "knock"]);
});

it("S16: what another tab of the device undoes leaves the count of this tab too", async () => {
  const { device, scan, countOne, waitUntilCounted, waitUntilShown } = await openStationAlone();
  await countOne();
  scan(otherShirt);
  await waitUntilCounted(2);
  const [first] = await device.database.getAll("pendingScans");
  if (first?.id === undefined) throw new Error("Nothing was stored.");
  await device.operate({
    ...{ kind: "undo", area: countedArea(areaOne, 1) },
    ...{ targetId: first.id, targetSeq: first.seq },
  });
  await waitUntilCounted(1);
  await waitUntilShown("Undone");
});
