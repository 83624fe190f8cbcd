import { describe, expect, it } from "vitest";
import { queryRoots } from "../../../http/query-roots.ts";
import type { OperationRecord } from "../../../offline/offline.ts";
import { notesOf, readAreaNotes } from "../opening/area-notes.ts";
import { countedArea } from "../opening/counting-area.ts";
import { areaOne } from "../testing/scripted-device.ts";
import { ScriptedShop } from "../testing/scripted-shop.ts";
import { openStationAlone, otherShirt, type StationHarness } from "../testing/station-harness.ts";

const secondPass = { ...areaOne, pass: 2 };

/** What the server's list says of the area. */
function list({ shop }: Pick<StationHarness, "shop">, change: Partial<ScriptedShop["areas"][number]>): void {
  shop.areas = shop.areas.map((area) => (area._id === areaOne.areaId ? { ...area, ...change } : area));
}

async function shopWith(change: Partial<ScriptedShop["areas"][number]>): Promise<ScriptedShop> {
  const shop = new ScriptedShop();
  list({ shop }, change);
  return shop;
}

async function countsIn(harness: StationHarness, pass: number): Promise<void> {
  await harness.waitUntilShown("The server was restored from a backup");
  expect(harness.state().pass).toBe(pass);
  const { scans } = harness.shop.scanning;
  await harness.countOne();
  expect(scans.at(-1)).toMatchObject({ status: "counted", payload: { pass } });
}

describe("a pass that a restored server does not have", () => {
  it("S31: is left as soon as the reset that began it is left to a person, with what was counted before it", async () => {
    const harness = await openStationAlone();
    const { shop, device } = harness;
    list(harness, { status: "in_progress", pass: 1 });
    await harness.countOne();
    shop.scanning.backup();
    await harness.countOne();
    const restore = shop.scanning.backup();
    await device.operate({ kind: "reset", area: countedArea(areaOne, 1) });
    await harness.waitUntilCounted(0);
    list(harness, { pass: 2 });
    await harness.waitUntilSent();
    restore();
    list(harness, { pass: 1 });
    shop.scanning.countElsewhere(otherShirt, Date.now() + 3_600_000);
    harness.scan(otherShirt);
    await harness.waitUntilShown("The server was restored from a backup");
    await harness.waitUntilSent();
    const note = (await readAreaNotes(device.database, areaOne.sessionId)).get(areaOne.areaId);
    expect(note?.knownPass).toBe(0);
    expect(harness.count()).toBe(2);
    await countsIn(harness, 1);
  });

  it("S31: is not gone back to, as by Resume Area", async () => {
    const shop = await shopWith({ status: "in_progress", pass: 1 });
    await countsIn(await openStationAlone({ shop, area: secondPass }), 1);
  });

  it("S31: is left on an open screen that has it from an administrator's reopening", async () => {
    const shop = await shopWith({ status: "in_progress", pass: 2 });
    shop.scanning.nextPass("A1", "AREA_REOPENED");
    const harness = await openStationAlone({ shop, area: secondPass });
    await harness.countOne();
    shop.scanning.passes.set("A1", 1);
    list(harness, { pass: 1 });
    await harness.client.invalidateQueries({ queryKey: [queryRoots.areas] });
    await countsIn(harness, 1);
  });

  it("S31: leaves no note that would open it again", () => {
    const base = {
      ...{ sessionId: "s", storeId: "st", locationId: "l", areaId: "a", areaCode: "A1", deviceId: "d" },
      ...{ pass: 1, opId: "op", synced: true, createdAt: "", retryCount: 0, syncedAt: null },
      ...{ lastRetryAt: null, refusal: null, isLeft: true },
    };
    const reset: OperationRecord = {
      ...{ ...base, order: 1, kind: "reset", expectedPass: 2 },
      answer: { kind: "reset", pass: 2, deletedScans: 1 },
    };
    const finish: OperationRecord = {
      ...{ ...base, order: 2, kind: "finish", declaredTotal: 9 },
      answer: { kind: "finish", matched: false, serverTotal: 7 },
    };
    expect(notesOf([reset, finish], "s").get("a")).toMatchObject({ knownPass: 0, mismatch: null });
  });
});

describe("a lower pass is no news", () => {
  it("S7: where the area is closed in it: the server has ended this count", async () => {
    const shop = await shopWith({ status: "closed", pass: 1 });
    const harness = await openStationAlone({ shop, area: secondPass });
    await harness.waitUntilReady();
    expect(harness.state().pass).toBe(2);
  });

  it("S15: where it is of an answer from before this device's own reset", async () => {
    const harness = await openStationAlone();
    const { shop, device } = harness;
    await harness.countOne();
    await device.operate({ kind: "reset", area: countedArea(areaOne, 1) });
    await harness.waitUntilCounted(0);
    await harness.waitUntilSent();
    shop.scanning.passes.set("A1", 1);
    list(harness, { status: "in_progress", pass: 1 });
    const asked = () => shop.requests.filter((request) => request === "GET /api/area/session-1/A1").length;
    const before = asked();
    device.bus.publish({ type: "requeued" });
    await expect.poll(asked).toBe(before + 1);
    await harness.client.invalidateQueries({ queryKey: [queryRoots.areas] });
    expect([harness.state().pass, harness.count()]).toEqual([2, 0]);
  });
});
