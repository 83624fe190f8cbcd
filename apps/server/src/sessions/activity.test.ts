import { scanActivity } from "@stocktake/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CountingScene, countingSlices, scanTimes, startCounting } from "../scanning/testing/scene.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { readActivity } from "./activity.ts";

let server: TestServer;
let scene: CountingScene;
beforeAll(async () => {
  server = await startTestServer({ slices: countingSlices });
});
afterAll(() => server.close());

const now = Date.parse("2026-03-04T10:20:00.000Z");
const database = () => server.database.database;

/** Moves the scans that are there to a time of scanning and one of arriving. */
async function moveAll(scannedAt: string, receivedAt = scannedAt): Promise<void> {
  await sql`update scans set scanned_at = ${scannedAt}, received_at = ${receivedAt}`.execute(database());
}

describe("scans per hour", () => {
  test("have not begun before the first scan", async () => {
    scene = await startCounting(server);
    const activity = await server.admin.call(scanActivity, {});
    expect(activity.begun).toBe(false);
    expect(activity.hours.every((scans) => scans === 0)).toBe(true);
  });

  test("fill three days up to the running hour, each scan in the hour in which it was scanned", async () => {
    await scanTimes(scene, 3);
    await moveAll("2026-03-04T08:59:59.999Z", "2026-03-04T10:10:00.000Z");
    const { begun, since, hours } = await readActivity(database(), now);
    expect({ begun, since, length: hours.length }).toEqual({
      begun: true,
      since: "2026-03-01T11:00:00.000Z",
      length: 72,
    });
    expect(hours.slice(-3)).toEqual([3, 0, 0]);
    expect(hours.reduce((sum, scans) => sum + scans, 0)).toBe(3);
  });

  test("are in the hour of their arrival where nobody knows when they were made", async () => {
    await moveAll("9999-12-31T23:59:59.999Z", "2026-03-04T09:10:00.000Z");
    await sql`update scans set time_known = false`.execute(database());
    const { hours } = await readActivity(database(), now);
    expect(hours.slice(-3)).toEqual([0, 3, 0]);
    await sql`update scans set time_known = true`.execute(database());
  });

  test("have begun even if there were none in the last days", async () => {
    await moveAll("2026-02-01T08:00:00.000Z");
    const { begun, hours } = await readActivity(database(), now);
    expect(begun).toBe(true);
    expect(hours.every((scans) => scans === 0)).toBe(true);
  });

  test("are the units that count: nothing that was undone, voided, late or set aside", async () => {
    await sql`update scans set scanned_at = ${new Date(now)}, received_at = ${new Date(now)}, quantity = seq`.execute(
      database(),
    );
    const sum = async () =>
      (await readActivity(database(), now)).hours.reduce((all, scans) => all + scans, 0);
    expect(await sum()).toBe(6);
    for (const status of ["voided", "late", "unresolved", "compared"] as const) {
      await database().updateTable("scans").set({ status }).where("seq", "=", 3).execute();
      expect(await sum()).toBe(3);
    }
  });

  test("are found by when they arrived, without reading every scan ever made", async () => {
    const { rows } = await sql<{ indexdef: string }>`
      select indexdef from pg_indexes where indexname = 'scans_received'`.execute(database());
    expect(rows[0]?.indexdef).toContain("brin (received_at)");
  });
});
