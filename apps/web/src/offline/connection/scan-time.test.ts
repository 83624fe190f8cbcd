import { describe, expect, it } from "vitest";
import { openFreshDatabase } from "../testing/fresh-database.ts";
import { createManualClock, type ManualClock } from "../testing/manual-clock.ts";
import { scanTime } from "./scan-time.ts";
import { loadServerClock, type ServerClock } from "./server-clock.ts";

const hour = 3_600_000;

/** The server's clock, which nobody sets: elapsed and slept time, so many milliseconds ahead of the device's. */
function serverTime(clock: ManualClock): number {
  return clock.now() - clock.setAhead() + 5_000;
}

async function setUp() {
  const database = await openFreshDatabase();
  const clock = createManualClock();
  return { database, clock, page: await loadServerClock(database, clock, "page-1") };
}

/** @param serverSetBy by how many milliseconds the server's clock was set */
function hear(page: ServerClock, clock: ManualClock, serverSetBy = 0): void {
  const now = clock.now();
  const serverDate = Math.floor((serverTime(clock) + serverSetBy) / 1000) * 1000;
  page.record({ sentAt: now, receivedAt: now, serverDate });
}

/** A scan, and when it was really made. */
function scan(page: ServerClock, clock: ManualClock) {
  const row = { timestamp: clock.now(), scannedAt: "written", reading: page.read() };
  return { row, madeAt: serverTime(clock) };
}

type Scan = ReturnType<typeof scan>;

function expectKnown({ row, madeAt }: Scan, page: ServerClock): void {
  const { scannedAt, timeUnknown } = scanTime(row, page.heard());
  expect(timeUnknown).toBeUndefined();
  expect(Math.abs(Date.parse(scannedAt) - madeAt)).toBeLessThanOrEqual(1_000);
}

function expectUnknown({ row }: Scan, page: ServerClock): void {
  expect(scanTime(row, page.heard()).timeUnknown).toBe(true);
}

describe("when a scan was made", () => {
  it.each([-hour, -90_000, 90_000, hour])(
    "S5: a clock that is set by %i ms while offline harms neither the scans before nor those after",
    async (by) => {
      const { clock, page } = await setUp();
      hear(page, clock);
      clock.advance(60_000);
      const before = scan(page, clock);
      clock.advance(60_000);
      clock.setBy(by);
      clock.advance(60_000);
      const after = scan(page, clock);
      clock.advance(60_000);
      hear(page, clock);
      expectKnown(before, page);
      expectKnown(after, page);
    },
  );

  it("S5: sleep, in which elapsed time stops, is told from a clock that was set by the next response", async () => {
    const { clock, page } = await setUp();
    hear(page, clock);
    clock.sleep(hour);
    const offline = scan(page, clock);
    expectUnknown(offline, page);
    clock.sleep(hour);
    const later = scan(page, clock);
    hear(page, clock);
    expectKnown(offline, page);
    expectKnown(later, page);
  });

  it("S5: between sleep and a clock that is set the time can't be known, and the scan says so", async () => {
    const { clock, page } = await setUp();
    hear(page, clock);
    clock.sleep(hour);
    const between = scan(page, clock);
    clock.setBy(hour);
    const after = scan(page, clock);
    clock.advance(1_000);
    hear(page, clock);
    expectUnknown(between, page);
    expectKnown(after, page);
  });

  it("S5: a clock that is set forward and back again while offline leaves what was scanned meanwhile unknown", async () => {
    const { clock, page } = await setUp();
    hear(page, clock);
    clock.setBy(hour);
    const meanwhile = scan(page, clock);
    clock.setBy(-hour);
    clock.advance(1_000);
    hear(page, clock);
    expectUnknown(meanwhile, page);
  });

  it("S5: after a reload while offline the set clock is believed where the server's offset is what it was", async () => {
    const { database, clock, page } = await setUp();
    hear(page, clock);
    clock.sleep(hour);
    const reloaded = await loadServerClock(database, clock, "page-2");
    const kept = scan(reloaded, clock);
    hear(reloaded, clock);
    expectKnown(kept, reloaded);
  });

  it("S5: after a reload while offline and a clock that was set, the time can't be known", async () => {
    const { database, clock, page } = await setUp();
    hear(page, clock);
    clock.setBy(hour);
    const second = await loadServerClock(database, clock, "page-2");
    const kept = scan(second, clock);
    const third = await loadServerClock(database, clock, "page-3");
    hear(third, clock);
    expectUnknown(kept, third);
  });

  it.each([-hour, -30_000, 30_000, hour])(
    "S5: where the server's clock was set by %i ms meanwhile a scan of before has no known time",
    async (by) => {
      const { database, clock, page } = await setUp();
      hear(page, clock);
      clock.advance(60_000);
      const before = scan(page, clock);
      clock.advance(60_000);
      hear(page, clock, by);
      expectUnknown(before, page);
      expect(scanTime(scan(page, clock).row, page.heard()).timeUnknown).toBeUndefined();
      const reloaded = await loadServerClock(database, clock, "page-2");
      hear(reloaded, clock, by);
      expectUnknown(before, reloaded);
    },
  );
});
