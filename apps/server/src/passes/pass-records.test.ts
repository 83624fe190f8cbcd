import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Transaction } from "../database/pool.ts";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import {
  beginFirstPasses,
  beginNextPass,
  beginSessionPasses,
  endSessionPasses,
  finishPass,
  lastPasses,
  markInProgress,
  type Pass,
  readPasses,
  restorePass,
  subtractFromTotals,
} from "./passes.ts";
import { makePasses, makeUser } from "./testing.ts";

let db: TestDatabase;
let ada: string;
let ben: string;
let storeId: string;
let passes: Pass[];
/** The current pass of the first area in the first session, the same area in the second, the second area in the first. */
let target: Pass;
let elsewhere: Pass;
let beside: Pass;

beforeAll(async () => {
  db = await createTestDatabase();
  ada = await makeUser(db.database, "ada");
  ben = await makeUser(db.database, "ben");
});
afterAll(() => db.drop());

function passAt(index: number): Pass {
  const pass = passes[index];
  if (pass === undefined) throw new Error("There is no such pass.");
  return pass;
}

beforeEach(async () => {
  ({ storeId, passes } = await makePasses({ database: db.database, userId: ada }));
  [target, beside, elsewhere] = [passAt(1), passAt(3), passAt(5)];
});

const run = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
  db.database.transaction().execute(work);

function recordOf({ sessionId, areaId, pass }: Pass) {
  return db.database
    .selectFrom("areaPasses")
    .select(["endedAs", "endedAt", "endedBy", "declaredTotal", "serverTotal", "finishedByDevice"])
    .where("sessionId", "=", sessionId)
    .where("areaId", "=", areaId)
    .where("pass", "=", pass)
    .executeTakeFirst();
}

function areaOf({ areaId }: Pass) {
  return db.database
    .selectFrom("areas")
    .select(["pass", "status", "closedBy", "closedAt"])
    .where("id", "=", areaId)
    .executeTakeFirstOrThrow();
}

const open = { endedAs: null, endedAt: null, endedBy: null, serverTotal: null };
const reset = (pass: Pass, endedBy = ada) =>
  run((transaction) => beginNextPass(transaction, pass, { endedAs: "reset", endedBy }));

describe("how a pass ended", () => {
  const finish = (declaredTotal: number) =>
    run((transaction) =>
      finishPass(transaction, target, { deviceId: "d1", declaredTotal, declaredAt: null, endedBy: ada }),
    );

  test("is recorded with when, by whom and what it had counted, also where it was open on record", async () => {
    expect(await recordOf(target)).toMatchObject(open);
    await reset(target);
    const ended = { endedAs: "reset", endedAt: expect.any(Date), endedBy: ada, serverTotal: 2 };
    expect(await recordOf(target)).toMatchObject(ended);
    for (const pass of [beside, elsewhere]) expect(await recordOf(pass)).toMatchObject(open);
  });

  test("is recorded with why, where a reason was given", async () => {
    const because = "A shelf was left out.";
    await run((transaction) =>
      beginNextPass(transaction, target, { endedAs: "reopened", endedBy: ben, because }),
    );
    const { rows } = await db.pool.query(
      "select pass, reason from area_passes where session_id = $1 and area_id = $2 order by pass",
      [target.sessionId, target.areaId],
    );
    expect(rows).toEqual([
      { pass: 1, reason: null },
      { pass: 2, reason: because },
      { pass: 3, reason: null },
    ]);
  });

  test("keeps the total that it was finished with", async () => {
    await finish(2);
    await run((transaction) => subtractFromTotals(transaction, target, { sku: "TEE", quantity: 1 }));
    await run((transaction) => beginNextPass(transaction, target, { endedAs: "reopened", endedBy: ben }));
    expect(await recordOf(target)).toMatchObject({ endedAs: "reopened", endedBy: ben, serverTotal: 2 });
    expect(await areaOf(target)).toEqual({ pass: 3, status: "not_started", closedBy: null, closedAt: null });
  });

  test("is closed where the declared total is right, and so is its area", async () => {
    expect(await finish(2)).toEqual({ matched: true, serverTotal: 2, pass: 2, status: "closed" });
    const declared = { declaredTotal: 2, serverTotal: 2, finishedByDevice: "d1" };
    const closed = { endedAs: "closed", endedAt: expect.any(Date), endedBy: ada };
    expect(await recordOf(target)).toMatchObject({ ...declared, ...closed });
    expect(await areaOf(target)).toMatchObject({
      pass: 2,
      status: "closed",
      closedBy: ada,
      closedAt: expect.any(Date),
    });
    for (const pass of [beside, elsewhere]) expect(await recordOf(pass)).toMatchObject(open);
    expect(await areaOf(beside)).toMatchObject({ status: "not_started", closedBy: null });
  });

  test("is mismatched where it is wrong, and the next one begins", async () => {
    expect(await finish(5)).toEqual({ matched: false, serverTotal: 2, pass: 3, status: "in_progress" });
    const declared = { declaredTotal: 5, serverTotal: 2, finishedByDevice: "d1" };
    expect(await recordOf(target)).toMatchObject({ ...declared, endedAs: "mismatched", endedBy: ada });
    expect(await areaOf(target)).toMatchObject({ pass: 3, status: "in_progress" });
    expect(await recordOf({ ...target, pass: 3 })).toMatchObject(open);
    expect(await areaOf(beside)).toMatchObject({ pass: 2 });
  });

  test("is restored once its scans count again, by whom and when", async () => {
    await reset(target);
    const before = await recordOf(target);
    await run((transaction) => restorePass(transaction, { ...target, pass: 3 }, { pass: 2, endedBy: ben }));
    const after = await recordOf(target);
    expect(after).toMatchObject({ endedAs: "restored", endedBy: ben });
    expect(after?.endedAt?.getTime()).toBeGreaterThan(before?.endedAt?.getTime() ?? Number.POSITIVE_INFINITY);
    expect(await recordOf({ ...target, pass: 3 })).toMatchObject({ endedAs: "replaced", endedBy: ben });
    for (const pass of [beside, elsewhere]) expect(await recordOf(pass)).toMatchObject(open);
  });

  test("can't be taken back where it was not voided, or never was", async () => {
    const restoring = (pass: number) =>
      run((transaction) => restorePass(transaction, target, { pass, endedBy: ben }));
    await expect(restoring(1)).rejects.toMatchObject({ code: "VALIDATION" });
    await expect(restoring(9)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await finish(2);
    await expect(restoring(2)).rejects.toMatchObject({ code: "VALIDATION" });
  });

  test.each([
    ["reset", "AREA_RESET", "not_started"],
    ["reopened", "AREA_REOPENED", "not_started"],
    ["mismatched", "COUNT_MISMATCHED", "in_progress"],
    ["replaced", "PASS_REPLACED", "in_progress"],
  ] as const)("is the reason of its scans: %s", async (endedAs, reason, status) => {
    const next = await run((transaction) => beginNextPass(transaction, target, { endedAs, endedBy: ben }));
    expect(next).toEqual({ pass: 3, status, voidedScans: 3 });
    const { sessionId, areaId, pass } = target;
    const { rows } = await db.pool.query(
      "select distinct reason from scans where session_id = $1 and area_id = $2 and pass = $3",
      [sessionId, areaId, pass],
    );
    expect(rows).toEqual([{ reason }]);
  });

  test("is the session's end for those that are open then, with what each had counted", async () => {
    await reset(target);
    await run((transaction) => subtractFromTotals(transaction, beside, { sku: "TEE", quantity: 1 }));
    await run((transaction) => endSessionPasses(transaction, target.sessionId, ben));
    const ended = { endedAs: "session_ended", endedAt: expect.any(Date), endedBy: ben };
    expect(await recordOf(beside)).toMatchObject({ ...ended, serverTotal: 1 });
    expect(await recordOf({ ...beside, pass: 1 })).toMatchObject({ ...ended, serverTotal: 2 });
    expect(await recordOf({ ...target, pass: 3 })).toMatchObject({ ...ended, serverTotal: 0 });
    expect(await recordOf(target)).toMatchObject({ endedAs: "reset", endedBy: ada });
    expect(await recordOf(elsewhere)).toMatchObject(open);
  });
});

describe("the first pass of an area in a session", () => {
  test("begins with the session in every area of the store, whatever was there before", async () => {
    const other = await makePasses({ database: db.database, userId: ada });
    const closed = { status: "closed", closedBy: ada, closedAt: new Date() } as const;
    await db.database.updateTable("areas").set(closed).where("id", "=", target.areaId).execute();
    const deleted = { deletedAt: new Date() };
    await db.database.updateTable("areas").set(deleted).where("id", "=", beside.areaId).execute();
    const { sessionId } = elsewhere;
    await run((transaction) => beginSessionPasses(transaction, { sessionId, storeId }));
    expect(await areaOf(target)).toEqual({ pass: 3, status: "not_started", closedBy: null, closedAt: null });
    expect(await recordOf({ ...elsewhere, pass: 3 })).toMatchObject(open);
    expect(await recordOf({ ...target, pass: 3 })).toBeUndefined();
    expect(await areaOf(beside)).toMatchObject({ pass: 2 });
    expect(await areaOf(other.passes[0] ?? target)).toMatchObject({ pass: 2 });
  });

  test("is the one that it is in where it is added later", async () => {
    const later = { pass: 7 };
    await db.database
      .updateTable("areas")
      .set(later)
      .where("id", "in", [target.areaId, beside.areaId])
      .execute();
    const { sessionId, areaId } = target;
    await run((transaction) => beginFirstPasses(transaction, sessionId, [areaId]));
    expect(await recordOf({ ...target, pass: 7 })).toMatchObject(open);
    expect(await recordOf({ ...beside, pass: 7 })).toBeUndefined();
  });

  test("puts the areas in progress that have not been started, and names those alone", async () => {
    const closed = { status: "closed" } as const;
    await db.database.updateTable("areas").set(closed).where("id", "=", beside.areaId).execute();
    const third = await makePasses({ database: db.database, userId: ada });
    const untouched = third.passes[0] ?? target;
    const started = await run((transaction) => markInProgress(transaction, [target.areaId, beside.areaId]));
    expect(started).toEqual([target.areaId]);
    expect(await areaOf(target)).toMatchObject({ status: "in_progress" });
    expect(await areaOf(beside)).toMatchObject({ status: "closed" });
    expect(await areaOf(untouched)).toMatchObject({ status: "not_started" });
    expect(await run((transaction) => markInProgress(transaction, []))).toEqual([]);
  });
});

test("the last pass of an area is the highest that it had in that session", async () => {
  await reset(elsewhere);
  const last = (pass: Pass, ...areaIds: string[]) => lastPasses(db.database, pass.sessionId, areaIds);
  expect(await last(target, target.areaId)).toEqual(new Map([[target.areaId, 2]]));
  expect(await last(elsewhere, target.areaId, beside.areaId)).toEqual(
    new Map([
      [target.areaId, 3],
      [beside.areaId, 2],
    ]),
  );
  expect(await last(target)).toEqual(new Map());
});

test("the passes of a session are listed with what each counted, without scans that were undone or dismissed", async () => {
  const voidFirst = ({ sessionId, areaId, pass }: Pass, reason: string) =>
    db.pool.query(
      `with taken_out as (
        update scan_totals set quantity = quantity - 1 where session_id = $1 and area_id = $2 and pass = $3)
      update scans set status = 'voided', voided_from = 'counted', reason = $4 where id = (
        select min(id) from scans where session_id = $1 and area_id = $2 and pass = $3 and status = 'counted')`,
      [sessionId, areaId, pass, reason],
    );
  await voidFirst(target, "UNDONE");
  await voidFirst({ ...target, pass: 1 }, "DISMISSED");
  await reset(target);
  await reset(beside);
  const { items: listed } = await readPasses(db.database, target.sessionId);
  const shown = listed.map(({ areaId, pass, scans, endedAs, endedAt }) => ({
    areaId,
    pass,
    scans,
    endedAs,
    endedAt,
  }));
  const running = { endedAs: null, endedAt: null };
  const ended = { endedAs: "reset", endedAt: expect.any(String) };
  const expected = [
    { areaId: target.areaId, pass: 1, scans: 1, ...running },
    { areaId: target.areaId, pass: 2, scans: 1, ...ended },
    { areaId: target.areaId, pass: 3, scans: 0, ...running },
    { areaId: beside.areaId, pass: 1, scans: 2, ...running },
    { areaId: beside.areaId, pass: 2, scans: 2, ...ended },
    { areaId: beside.areaId, pass: 3, scans: 0, ...running },
  ];
  expect(shown).toHaveLength(expected.length);
  expect(shown).toEqual(expect.arrayContaining(expected));
});

test("the passes of a session are read in pages, each once, and counted without those of others", async () => {
  const whole = await readPasses(db.database, target.sessionId);
  expect(whole).toMatchObject({ total: 4, next: null });
  const paged: string[] = [];
  let after: string | undefined;
  for (const expected of [1, 1, 1, 1]) {
    const page = await readPasses(db.database, target.sessionId, { cursor: after, limit: 1 });
    expect([page.items.length, page.total]).toEqual([expected, 4]);
    paged.push(...page.items.map(({ areaId, pass }) => `${areaId} ${pass}`));
    after = page.next ?? undefined;
  }
  expect(after).toBeUndefined();
  expect(paged).toEqual(whole.items.map(({ areaId, pass }) => `${areaId} ${pass}`));
});
