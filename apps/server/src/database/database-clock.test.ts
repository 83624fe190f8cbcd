import { pino } from "pino";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Clock, nodeErrorMs, type SharedClock, systemClock } from "../kernel/clock.ts";
import { createHeldClock } from "../testing/held-clock.ts";
import { startDatabaseClock } from "./database-clock.ts";
import { createTestDatabase, type TestDatabase } from "./testing.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const logger = pino({ level: "silent" });
const measuredEachMs = 15_000;

async function start(clock: Clock, machine: Clock, whenSet = async () => {}) {
  const started = await startDatabaseClock({ database: db.database, clock, machine, logger, whenSet });
  onTestFinished(() => started.stop());
  return started;
}

/** A machine whose steady time is ahead by so much: to it the database's clock is behind by as much. */
function shiftedMachine() {
  const held = createHeldClock();
  const machine = { ...held, shift: 0, steady: () => systemClock.steady() + machine.shift };
  return machine;
}

/** The database runs on this machine. */
function expectIsNow(clock: SharedClock): void {
  const earliest = Date.now() - nodeErrorMs;
  const now = clock.now();
  expect(now).toBeGreaterThan(earliest);
  expect(now).toBeLessThan(Date.now() + nodeErrorMs);
}

async function measureAgain({ untilAsleep, pass }: ReturnType<typeof shiftedMachine>): Promise<void> {
  await untilAsleep(measuredEachMs, 1);
  pass(measuredEachMs);
  await untilAsleep(measuredEachMs, 1);
}

test("the time is the database's, whatever this machine's clock is set to", async () => {
  const clock = { ...systemClock, now: () => Date.now() + 3_600_000 };
  const started = await start(clock, clock);
  expectIsNow(started);
});

test("an answer that took long is asked for again: the middle of it may be far from when it was given", async () => {
  // Ten seconds pass while the database answers for the first time, which it did at their very end.
  const asked = [-10_000];
  const machine = { ...systemClock, steady: () => systemClock.steady() + (asked.shift() ?? 0) };
  const started = await start(systemClock, machine);
  expectIsNow(started);
});

test("an answer that also waited for its connection is asked for again: a quick one tells the time more closely", async () => {
  // As before, but for a fifth of a second: nodes have to agree no more closely than that.
  const asked = [-200];
  let looks = 0;
  const steady = () => {
    looks += 1;
    return systemClock.steady() + (asked.shift() ?? 0);
  };
  const started = await start(systemClock, { ...systemClock, steady });
  // One before and one after each answer.
  expect(looks).toBeGreaterThanOrEqual(4);
  expectIsNow(started);
});

test("a clock that is set is told of, again until it was heard, and no other time", async () => {
  const machine = shiftedMachine();
  let told = 0;
  await start(systemClock, machine, async () => {
    told += 1;
    if (told === 1) throw new Error("The database is away.");
  });
  await measureAgain(machine);
  expect(told).toBe(0);
  machine.shift = -600_000;
  await measureAgain(machine);
  await measureAgain(machine);
  expect(told).toBe(2);
  await measureAgain(machine);
  expect(told).toBe(2);
});

test.each([
  ["hides it", 1_000],
  ["shows but a little of it", 850],
])("a clock that was set is told of where the first answer after it is slow and %s", async (_, slowMs) => {
  const machine = shiftedMachine();
  let told = 0;
  const started = await start(systemClock, machine, async () => {
    told += 1;
  });
  // Ahead by a second, so that the database's clock was set back by as much: the slow answer began before that.
  machine.shift = 1_000;
  const asked = [-slowMs];
  const { steady } = machine;
  machine.steady = () => steady() + (asked.shift() ?? 0);
  await started.check();
  expect(told).toBe(1);
});

test("a clock that was set is told of where the database failed after the answer that showed it", async () => {
  const machine = shiftedMachine();
  let told = 0;
  const started = await start(systemClock, machine, async () => {
    told += 1;
  });
  machine.shift = -600_000;
  const { steady } = machine;
  const asked = [
    () => steady() - 1_000,
    steady,
    () => {
      throw new Error("The database is away.");
    },
  ];
  machine.steady = () => (asked.shift() ?? steady)();
  await expect(started.check()).rejects.toThrow("away");
  expect(told).toBe(0);
  await started.check();
  expect(told).toBe(1);
});
