import { expect, it, vi } from "vitest";
import { queryRoots } from "../../../http/query-roots.ts";
import { areaOne } from "../testing/scripted-device.ts";
import { openStationAlone, otherShirt, type StationHarness } from "../testing/station-harness.ts";
import { unreadText } from "./unread.ts";

const restored = "An earlier count of this area was restored: it counts again.";
const short = "An earlier count was restored: nothing of it has to be scanned again.";

/** The list of areas says of this one what it says now, and this device is notified. */
async function listAgain(
  { shop, client }: StationHarness,
  change: Partial<StationHarness["shop"]["areas"][number]>,
): Promise<void> {
  shop.areas = shop.areas.map((area) => (area._id === areaOne.areaId ? { ...area, ...change } : area));
  await client.invalidateQueries({ queryKey: [queryRoots.areas] });
}

/** An administrator restores the first pass: what was scanned in it counts again, in the next one. */
function restoreFirstPass({ shop }: StationHarness): void {
  const { scanning } = shop;
  scanning.nextPass("A1", "PASS_REPLACED");
  for (const scan of scanning.scans.filter(({ pass }) => pass === 1))
    Object.assign(scan, { status: "counted", reason: null, pass: scanning.passOf("A1") });
  shop.isRestored = true;
}

/** One shirt is counted, and the area is started again by somebody else. */
async function countedBeforeRestart(): Promise<StationHarness> {
  const harness = await openStationAlone();
  await harness.countOne();
  harness.shop.scanning.nextPass("A1", "AREA_RESET");
  await listAgain(harness, { pass: 2, status: "not_started" });
  await harness.waitUntilCounted(0);
  return harness;
}

it("S22: tells of a restored count instead of a restart, and shows at once what counts again", async () => {
  const harness = await countedBeforeRestart();
  const shownCounts = new Set<number>();
  harness.station.subscribe(() => {
    if (harness.shown()?.startsWith(restored)) shownCounts.add(harness.count());
  });
  restoreFirstPass(harness);
  await listAgain(harness, { pass: 3, status: "in_progress", restored: true });
  await harness.waitUntilShown(`${restored} Nothing of it has to be scanned again.`);
  expect(harness.count()).toBe(1);
  expect([...shownCounts]).toEqual([1]);
  expect(harness.sounds.at(-1)).toBe("call");
  harness.scan(otherShirt);
  await harness.waitUntilCounted(2);
  await harness.waitUntilSent();
  expect(harness.shop.scanning.scans.at(-1)).toMatchObject({ status: "counted", payload: { pass: 3 } });
});

it("S22: takes the word of a restart away, and keeps that of the restored count in sight until it is tapped away", async () => {
  const harness = await countedBeforeRestart();
  harness.scan(otherShirt);
  await harness.waitUntilCounted(1);
  expect(unreadText(harness.state())).toBe("Restarted: your count is back to 0.");
  await harness.waitUntilSent();
  restoreFirstPass(harness);
  await listAgain(harness, { pass: 3, status: "in_progress", restored: true });
  await harness.waitUntilShown(restored);
  harness.scan(otherShirt);
  await harness.waitUntilCounted(2);
  expect(unreadText(harness.state())).toBe(short);
  harness.station.dismissUnread();
  expect(unreadText(harness.state())).toBeNull();
});

it("S22: learns of a restored count from what the server makes of the next scan too", async () => {
  const harness = await countedBeforeRestart();
  restoreFirstPass(harness);
  harness.scan(otherShirt);
  await harness.waitUntilShown("What was scanned here after it does not count.");
  await harness.waitUntilCounted(1);
});

it("S22: lets a phone go on that stood on the area as closed", async () => {
  const harness = await countedBeforeRestart();
  await listAgain(harness, { pass: 2, status: "closed" });
  await harness.waitUntilShown("This area is closed.");
  restoreFirstPass(harness);
  await listAgain(harness, { pass: 3, status: "in_progress", restored: true });
  await harness.waitUntilShown(restored);
  expect([harness.state().block, harness.count()]).toEqual([null, 1]);
  harness.scan(otherShirt);
  await harness.waitUntilCounted(2);
  expect(unreadText(harness.state())).toBe(short);
});

it("S22: so it does where the answer to a scan told of the new pass before the list did", async () => {
  const harness = await countedBeforeRestart();
  await listAgain(harness, { pass: 2, status: "closed" });
  await harness.waitUntilShown("This area is closed.");
  restoreFirstPass(harness);
  // What was set aside is tried again, and the pass is read anew.
  harness.device.bus.publish({ type: "requeued" });
  await vi.waitFor(() => expect(harness.state().pass).toBe(3));
  expect(harness.state().block).toBe("area_closed");
  await listAgain(harness, { pass: 3, status: "in_progress", restored: true });
  await vi.waitFor(() => expect(harness.state().block).toBeNull());
  harness.scan(otherShirt);
  await harness.waitUntilCounted(2);
});

it("S22: says nothing of items that were set aside: an earlier count stands again", async () => {
  const harness = await countedBeforeRestart();
  harness.scan("unknown-77");
  await harness.waitUntilShown("UNKNOWN BARCODE: unknown-77");
  await harness.waitUntilSent();
  // What counts in the pass can't be read just now.
  harness.shop.openingRefused = "Not now.";
  restoreFirstPass(harness);
  await listAgain(harness, { pass: 3, status: "in_progress", restored: true });
  await harness.waitUntilShown(restored);
  expect(harness.shown()).not.toContain("set aside");
});
