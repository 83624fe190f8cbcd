import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import { comparedErrorMs } from "../kernel/clock.ts";
import { readReportContext } from "./counting-time.ts";
import { type KeptSessions, openKeptSessions } from "./testing/kept-sessions.ts";

let db: TestDatabase;
let sessions: KeptSessions;

beforeAll(async () => {
  db = await createTestDatabase();
  sessions = await openKeptSessions(db.database);
});
afterAll(() => db.drop());

const hour = (hours: number) => Date.UTC(2026, 2, 1, hours);

/** What is read of a session that was counted by scans from nine to ten. */
async function contextOf(basis: "end" | "count", unknownTimes: number | null) {
  const session = await sessions.keep({ basis });
  if (unknownTimes !== null) await sessions.scanned(session.id, "TEE", 1, { from: 9, to: 10, unknownTimes });
  return readReportContext(db.database, session);
}

describe("what a report's rows are judged by", () => {
  test("is what the session tells, whether it was deployed and what others have moved", async () => {
    expect(await contextOf("end", 0)).toMatchObject({
      ...{ basis: "end", deployed: false, movedByOthers: new Map() },
      ...{ startedAt: new Date(hour(8)), endedAt: new Date(hour(12)) },
    });
  });

  test.each([
    ["nothing by the comparison with the end", "end", 0, null],
    [
      "from the first scan to the last by the comparison when counted, give or take what clocks are out",
      "count",
      0,
      { first: hour(9) - comparedErrorMs, last: hour(10) + comparedErrorMs },
    ],
    ["the whole session where a scan's time is not known", "count", 1, { first: hour(8), last: hour(12) }],
    ["nothing where nobody counted", "count", null, null],
  ] as const)("is when anything was counted: %s", async (_name, basis, unknownTimes, countedDuring) => {
    const context = await contextOf(basis, unknownTimes);
    expect(context).toMatchObject({ basis, startedAt: new Date(hour(8)) });
    expect(context.countedDuring).toEqual(countedDuring);
  });

  test("is the whole session where the clock was set while it counted", async () => {
    const session = { ...(await sessions.keep({ basis: "count" })), clockSetAt: new Date(hour(10)) };
    await sessions.scanned(session.id, "TEE", 1, { from: 9, to: 10 });
    const { countedDuring } = await readReportContext(db.database, session);
    expect(countedDuring).toEqual({ first: hour(8), last: hour(12) });
  });
});
