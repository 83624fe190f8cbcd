import { postScan } from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { countInEachTest, scan, scanBody } from "../testing/scene.ts";

const scene = countInEachTest();

const startMs = Date.UTC(2026, 2, 1, 8);
const minuteMs = 60_000;

async function setStart(): Promise<void> {
  await scene.server.database.database
    .updateTable("sessions")
    .set({ startSnapshotAt: new Date(startMs) })
    .where("id", "=", scene.session._id)
    .execute();
}

function stored() {
  return scene.server.database.database
    .selectFrom("scans")
    .select(["scannedAt", "givenScannedAt", "timeKnown"])
    .where("sessionId", "=", scene.session._id)
    .orderBy("seq")
    .execute();
}

async function total() {
  return scene.server.database.database
    .selectFrom("scanTotals")
    .select(["quantity", "firstCountedAt", "lastCountedAt", "unknownTimes"])
    .where("sessionId", "=", scene.session._id)
    .executeTakeFirstOrThrow();
}

const iso = (ms: number) => new Date(ms).toISOString();

describe("when a scan was made is known", () => {
  test.each([
    ["five seconds before the stock was read, as clocks differ", () => startMs - 5_000, true],
    ["any earlier", () => startMs - 5_001, false],
    ["a little after it was received, as clocks differ", () => Date.now() + 2_000, true],
    ["a minute after it was received", () => Date.now() + minuteMs, false],
    ["in between", () => startMs + minuteMs, true],
  ])("%s: its device's word is kept all the same", async (_name, timeOf, timeKnown) => {
    await setStart();
    const given = new Date(timeOf());
    await scan(scene, { scannedAt: given.toISOString() });
    expect(await stored()).toEqual([{ scannedAt: given, givenScannedAt: given, timeKnown }]);
  });

  test("is taken for when it was received, where its device gives no time", async () => {
    const before = Date.now() - 1_000;
    await scan(scene);
    const [row] = await stored();
    expect(row).toMatchObject({ givenScannedAt: null, timeKnown: true });
    expect(row?.scannedAt.getTime()).toBeGreaterThan(before);
  });

  test("is not where its device says that it does not know", async () => {
    await setStart();
    const body = { ...scanBody(scene), scannedAt: iso(startMs + minuteMs), timeUnknown: true };
    await scene.counter.api.call(postScan, { body });
    expect(await stored()).toMatchObject([{ timeKnown: false }]);
  });
});

test("a total knows the first and the last time that is known, and how many are not, in whatever order scans come", async () => {
  await setStart();
  const unknown = iso(startMs - minuteMs);
  const times = [5, 3, 9, 4].map((minutes) => iso(startMs + minutes * minuteMs));
  for (const [index, scannedAt] of [unknown, ...times, unknown].entries()) {
    await scan(scene, { seq: index + 1, scannedAt, quantity: index + 1 });
  }
  expect(await total()).toEqual({
    quantity: 21,
    firstCountedAt: new Date(startMs + 3 * minuteMs),
    lastCountedAt: new Date(startMs + 9 * minuteMs),
    unknownTimes: 2,
  });
});
