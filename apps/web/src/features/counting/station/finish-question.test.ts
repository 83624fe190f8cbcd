import { describe, expect, it } from "vitest";
import { messages } from "../messages.ts";
import { openStationAlone, otherShirt, type StationHarness } from "../testing/station-harness.ts";

/** Two shirts counted and three unknown codes set aside. */
async function countWithUnknown(): Promise<StationHarness> {
  const harness = await openStationAlone();
  await harness.countOne();
  harness.scan(otherShirt);
  for (const code of ["unknown-1", "unknown-2", "unknown-3"]) harness.scan(code);
  await harness.waitUntilCounted(2);
  await expect.poll(() => harness.state().unknown.length).toBe(3);
  await harness.waitUntilSent();
  harness.station.openDialog("finish");
  return harness;
}

const asked = {
  ...{ asks: "unknown", declaredTotal: 5, of: null },
  ...{ counted: 2, unknown: 3, othersCounted: false },
};

describe("a declared total that includes the unknown scans", () => {
  it("is asked about before anything is sent; with them counted in, the counted number is sent", async () => {
    const { station, state, shop, shown } = await countWithUnknown();
    await station.finish(5);
    expect([state().finishQuestion, state().dialog, state().isFinishing]).toEqual([asked, "finish", false]);
    expect(shop.requests).not.toContain("POST /api/area/finish");
    await station.answerUnknown(true);
    expect(shown()).toBe("Area complete! 2 counted");
    expect(shop.scanning.closedAreas.has("A1")).toBe(true);
  });

  it("is sent as typed where they were not counted in: the comparison stays what it is", async () => {
    const { station, shown, state } = await countWithUnknown();
    await station.finish(5);
    await station.answerUnknown(false);
    expect(shown()).toBe(
      `COUNT MISMATCH! You declared 5 but scanned 2. Please recount. ${messages.mismatchNext} 3 items that were set aside must be scanned again too.`,
    );
    expect([state().unknown, state().finishQuestion]).toEqual([[], null]);
  });

  it.each([2, 4, 6])("a total of %i is sent without a question", async (declaredTotal) => {
    const { station, shop, state } = await countWithUnknown();
    await station.finish(declaredTotal);
    expect(state().finishQuestion).toBeNull();
    expect(shop.requests).toContain("POST /api/area/finish");
  });

  it("S9: is asked about offline too, by the device's own numbers", async () => {
    const { station, shop, device, state, waitUntilSent } = await countWithUnknown();
    shop.isAway = true;
    device.connectivity.report(false);
    await station.finish(5);
    expect(state().finishQuestion).toEqual(asked);
    await station.answerUnknown(true);
    shop.isAway = false;
    device.connectivity.report(true);
    device.engine.retryNow();
    await waitUntilSent();
    expect(shop.scanning.closedAreas.has("A1")).toBe(true);
  });

  it("is asked about by the server's list where other devices counted here", async () => {
    const { station, shop, state } = await countWithUnknown();
    shop.othersCounted = true;
    await station.finish(6, "area");
    expect(state().finishQuestion).toMatchObject({ asks: "unknown", of: "area", counted: 3, unknown: 3 });
  });

  it("the figures are the device's own where the server's list does not come in time", async () => {
    const { station, shop, clock, device } = await countWithUnknown();
    const release = shop.hold("/api/area/session-1/A1");
    const figures = station.readFinishFigures();
    await device.database.getAll("pendingScans");
    clock.advance(3_000);
    expect(await figures).toEqual({
      counted: 2,
      unknown: 3,
      accepted: 0,
      othersCounted: false,
      devices: [],
      sharedWith: [],
    });
    release();
  });

  it("closing the dialog takes the question away", async () => {
    const { station, state } = await countWithUnknown();
    await station.finish(5);
    station.openDialog(null);
    station.openDialog("finish");
    expect(state().finishQuestion).toBeNull();
  });
});

describe("a total where others counted too", () => {
  const whose = { asks: "whose", of: "area", isOwnCount: true };

  async function countBesideOthers(): Promise<StationHarness> {
    const harness = await countWithUnknown();
    harness.shop.othersCounted = true;
    return harness;
  }

  it.each([2, 5])(
    "S37: of the whole area that is what this device alone shows, %i, is asked about once",
    async (declaredTotal) => {
      const { station, state, shop } = await countBesideOthers();
      await station.finish(declaredTotal, "area");
      expect(state().finishQuestion).toEqual({ ...whose, declaredTotal });
      expect(shop.requests).not.toContain("POST /api/area/finish");
      await station.answerWhose("area");
      expect(state().finishQuestion).toBeNull();
      expect(shop.requests).toContain("POST /api/area/finish");
    },
  );

  it("S37: is sent as one's own where it was meant so, after the question about the unknown scans", async () => {
    const { station, state, device } = await countBesideOthers();
    await station.finish(5, "area");
    await station.answerWhose("own");
    expect(state().finishQuestion).toEqual({ ...asked, of: "own" });
    await station.answerUnknown(true);
    const finishes = await device.database.getAll("pendingSubmissions");
    expect(finishes).toMatchObject([
      { kind: "finish", declaredTotal: 2, ownOf: expect.any(String), madeById: expect.any(String) },
    ]);
  });

  it.each([
    [2, "own"],
    [1, "area"],
    [3, "area"],
  ] as const)("%i of %s is sent without a question", async (declaredTotal, of) => {
    const { station, state, shop } = await countBesideOthers();
    await station.finish(declaredTotal, of);
    expect(state().finishQuestion).toBeNull();
    expect(shop.requests).toContain("POST /api/area/finish");
  });

  it("S37: is asked about where the server is away by then, but had listed the others in the dialog", async () => {
    const { station, state, shop, device } = await countBesideOthers();
    await station.readFinishFigures();
    shop.isAway = true;
    device.connectivity.report(false);
    expect(station.ownFigures().othersCounted).toBe(true);
    await station.finish(2, "area");
    expect(state().finishQuestion).toEqual({ ...whose, declaredTotal: 2 });
    await station.finish(4);
    expect(state().finishQuestion).toEqual({ ...whose, of: null, isOwnCount: false, declaredTotal: 4 });
    expect(await device.database.count("pendingSubmissions")).toBe(0);
  });

  it("S37: is asked about no more in the next pass, of which nothing is known of others", async () => {
    const { station, state, shop } = await countBesideOthers();
    await station.readFinishFigures();
    await station.finish(1, "area");
    expect([state().pass, station.ownFigures().othersCounted]).toEqual([2, false]);
    expect(shop.requests).toContain("POST /api/area/finish");
  });

  it("S37: is asked about where the others are known only when it is submitted", async () => {
    const { station, state, shop } = await countBesideOthers();
    await station.finish(4);
    expect(state().finishQuestion).toEqual({ ...whose, of: null, isOwnCount: false, declaredTotal: 4 });
    expect(shop.requests).not.toContain("POST /api/area/finish");
  });
});
