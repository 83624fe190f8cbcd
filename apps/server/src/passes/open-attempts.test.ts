import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import type { Pass } from "./passes.ts";
import { endOpenAttempts } from "./queries.ts";
import { makePasses, makeUser } from "./testing.ts";

/** The second count of an area's second pass, beside one of the first that was cancelled long ago. */
const attempts = [
  { pass: 5, ofPass: 2, endedAs: null, endedAt: null },
  { pass: 4, ofPass: 1, endedAs: "cancelled", endedAt: new Date("2026-03-01T08:30:00Z") },
] as const;

let db: TestDatabase;
let userId: string;
let places: Pass[];

beforeAll(async () => {
  db = await createTestDatabase();
  userId = await makeUser(db.database, "admin");
});
afterAll(() => db.drop());

/** Of a running session: an area has at most one second count that is open. */
async function runningPlaces(): Promise<Pass[]> {
  const { passes } = await makePasses({ database: db.database, userId });
  return passes.filter(({ sessionId, pass }) => sessionId === passes[0]?.sessionId && pass === 2);
}

beforeEach(async () => {
  places = [...(await runningPlaces()), ...(await runningPlaces())];
  const rows = places.flatMap(({ sessionId, areaId }) =>
    attempts.map((attempt) => ({ sessionId, areaId, round: 2 as const, askedBy: userId, ...attempt })),
  );
  await db.database
    .insertInto("secondCounts")
    .values(rows.map((row) => ({ ...row, endedBy: null, ...nothingDeclared })))
    .execute();
});

const nothingDeclared = { declaredTotal: null, serverTotal: null, finishedByDevice: null, sample: null };

async function endings() {
  const rows = await db.database
    .selectFrom("secondCounts")
    .select(["sessionId", "areaId", "pass", "endedAs", "endedBy", "endedAt"])
    .where("sessionId", "in", [...new Set(places.map(({ sessionId }) => sessionId))])
    .execute();
  return (place: Pass, pass: number) =>
    rows.find((row) => row.sessionId === place.sessionId && row.areaId === place.areaId && row.pass === pass);
}

test.each([
  ["an area that is counted anew", "area_reopened", ["sessionId", "areaId"]],
  ["a session that is over", "session_ended", ["sessionId"]],
] as const)("of %s the open second counts end, and no others", async (_what, endedAs, keys) => {
  const [target] = places;
  if (target === undefined) throw new Error("There is no pass.");
  const { sessionId, areaId } = target;
  const ended = endedAs === "session_ended" ? { sessionId } : { sessionId, areaId };
  await db.database.transaction().execute((transaction) => endOpenAttempts(transaction, ended, userId));
  const endingOf = await endings();
  for (const place of places) {
    const isEnded = keys.every((key) => place[key] === target[key]);
    expect(endingOf(place, 5)).toMatchObject(
      isEnded ? { endedAs, endedBy: userId, endedAt: expect.any(Date) } : { endedAs: null, endedAt: null },
    );
    expect(endingOf(place, 4)).toMatchObject({
      endedAs: "cancelled",
      endedBy: null,
      endedAt: attempts[1].endedAt,
    });
  }
});
