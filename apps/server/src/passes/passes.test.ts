import { randomUUID } from "node:crypto";
import { type Insertable, sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Transaction } from "../database/pool.ts";
import type { ScansTable } from "../database/tables.ts";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import { addToTotals, beginNextPass, type Pass, restorePass, subtractFromTotals } from "./passes.ts";
import { makePasses, makeUser } from "./testing.ts";

let db: TestDatabase;
let userId: string;
let target: Pass;

beforeAll(async () => {
  db = await createTestDatabase();
  userId = await makeUser(db.database, "admin");
});
afterAll(() => db.drop());

beforeEach(async () => {
  const { passes } = await makePasses({ database: db.database, userId });
  const [first] = passes;
  if (first === undefined) throw new Error("There is no pass.");
  target = { ...first, pass: 2 };
});

const run = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
  db.database.transaction().execute(work);

const untouched = { counted: 2, unresolved: 1, voided: 0, total: 2 };

/** What is in every pass, by "session area pass", without those named. */
async function others(...changed: readonly Pass[]) {
  const keys = changed.map(keyOf);
  return [...(await contents())].filter(([key]) => !keys.includes(key)).map(([, found]) => found);
}

const keyOf = ({ sessionId, areaId, pass }: Pass) => `${sessionId} ${areaId} ${pass}`;

async function contents() {
  const { rows } = await sql<Pass & typeof untouched>`
    select session_id, area_id, pass,
      count(*) filter (where status = 'counted') as counted,
      count(*) filter (where status = 'unresolved') as unresolved,
      count(*) filter (where status = 'voided') as voided,
      coalesce((select sum(quantity) from scan_totals total
        where total.session_id = scans.session_id and total.area_id = scans.area_id and total.pass = scans.pass),
        0)::integer as total
    from scans where session_id in (select session_id from area_passes where area_id = ${target.areaId})
    group by session_id, area_id, pass`.execute(db.database);
  return new Map(
    rows.map(({ sessionId, areaId, pass, ...found }) => [keyOf({ sessionId, areaId, pass }), found]),
  );
}

/** A scan that came once its pass was over, of the reason for which the others were voided. */
function lateIn(pass: Pass) {
  const scan = { ...pass, deviceId: randomUUID(), sku: "TEE", scannedBy: userId, sentBy: userId };
  const given = {
    seq: 1,
    timeKnown: true,
    scannedAt: new Date(),
    status: "late",
    reason: "AREA_RESET",
  } as const;
  return store({ ...scan, ...given });
}

/** A scan that counts, from before all others. */
function storeEarlier(of: Pass & { readonly sku: string }) {
  const given = {
    seq: 1,
    timeKnown: true,
    scannedAt: new Date("2026-03-01T03:00Z"),
    status: "counted",
    reason: null,
  } as const;
  return store({ ...of, deviceId: randomUUID(), scannedBy: userId, sentBy: userId, ...given });
}

type Given = Pick<
  Insertable<ScansTable>,
  | ("sessionId" | "areaId" | "pass" | "deviceId" | "sku" | "scannedBy" | "sentBy")
  | ("seq" | "timeKnown" | "scannedAt" | "status" | "reason")
>;

async function store(given: Given) {
  const scan = { input: "x", inputType: "sku", method: "scan", opId: null, resolvedBy: null } as const;
  const place = { storeId: randomUUID(), locationId: randomUUID(), sentPass: null, givenScannedAt: null };
  const { id } = await db.database
    .insertInto("scans")
    .values({ ...scan, ...place, ...given })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

async function statusOf(scanId: number) {
  const scan = await db.database
    .selectFrom("scans")
    .select("status")
    .where("id", "=", scanId)
    .executeTakeFirstOrThrow();
  return scan.status;
}

async function times({ sessionId, areaId, pass }: Pass) {
  const { firstCountedAt, lastCountedAt, unknownTimes } = await db.database
    .selectFrom("scanTotals")
    .select(["firstCountedAt", "lastCountedAt", "unknownTimes"])
    .where("sessionId", "=", sessionId)
    .where("areaId", "=", areaId)
    .where("pass", "=", pass)
    .where("sku", "=", "TEE")
    .executeTakeFirstOrThrow();
  return [...[firstCountedAt, lastCountedAt].map((time) => time?.getUTCHours()), unknownTimes];
}

test("a pass that ends is voided alone: not the other pass, the other area, nor the other session", async () => {
  const next = await run((transaction) =>
    beginNextPass(transaction, target, { endedAs: "reset", endedBy: userId }),
  );
  expect(next).toEqual({ pass: 3, status: "not_started", voidedScans: 3 });
  expect((await contents()).get(keyOf(target))).toEqual({ counted: 0, unresolved: 0, voided: 3, total: 0 });
  expect(await others(target)).toEqual(Array.from({ length: 7 }, () => untouched));
});

test("a voided scan keeps what it was and why; restored, it is that again and keeps nothing", async () => {
  const ended = { endedAs: "reset", endedBy: userId } as const;
  await run((transaction) => beginNextPass(transaction, target, ended));
  const stored = () =>
    db.database
      .selectFrom("scans")
      .select(["status", "reason", "voidedFrom", "voidedFromReason", "voidedBy", "voidedAt"])
      .where("sessionId", "=", target.sessionId)
      .where("areaId", "=", target.areaId)
      .where("pass", "in", [2, 4])
      .orderBy("id")
      .execute();
  const voided = { status: "voided", reason: "AREA_RESET", voidedBy: userId, voidedAt: expect.any(Date) };
  expect(await stored()).toEqual([
    { ...voided, voidedFrom: "counted", voidedFromReason: null },
    { ...voided, voidedFrom: "counted", voidedFromReason: null },
    { ...voided, voidedFrom: "unresolved", voidedFromReason: "UNKNOWN_CODE" },
  ]);
  const late = await lateIn(target);
  await run((transaction) => restorePass(transaction, { ...target, pass: 3 }, { pass: 2, endedBy: userId }));
  expect(await statusOf(late)).toBe("late");
  await db.database.deleteFrom("scans").where("id", "=", late).execute();
  const restored = { voidedFrom: null, voidedFromReason: null, voidedBy: null, voidedAt: null };
  expect(await stored()).toEqual([
    { status: "counted", reason: null, ...restored },
    { status: "counted", reason: null, ...restored },
    { status: "unresolved", reason: "UNKNOWN_CODE", ...restored },
  ]);
  expect((await contents()).get(keyOf({ ...target, pass: 4 }))).toEqual(untouched);
});

test("what can't be added to the totals is not restored, and says why", async () => {
  await run((transaction) => beginNextPass(transaction, target, { endedAs: "reset", endedBy: userId }));
  const { sessionId, areaId } = target;
  await sql`
    insert into scan_totals (session_id, area_id, pass, sku, quantity)
    values (${sessionId}, ${areaId}, 4, 'TEE', ${2n ** 63n - 1n})`.execute(db.database);
  const restoring = run((transaction) =>
    restorePass(transaction, { ...target, pass: 3 }, { pass: 2, endedBy: userId }),
  );
  await expect(restoring).rejects.toThrow("bigint out of range");
  expect((await contents()).get(keyOf({ ...target, pass: 4 }))).toBeUndefined();
  expect((await contents()).get(keyOf(target))).toMatchObject({ counted: 0, voided: 3 });
});

test("one scan is taken from the totals of its own pass and SKU alone", async () => {
  const { sessionId, areaId, pass } = target;
  const other = { sessionId, areaId, pass, sku: "CAP", quantity: 7 };
  await db.database.insertInto("scanTotals").values(other).execute();
  await storeEarlier({ ...target, sku: "CAP" });
  await storeEarlier({ ...target, pass: 1, sku: "TEE" });
  await run((transaction) => subtractFromTotals(transaction, target, { sku: "TEE", quantity: 1 }));
  expect(await times(target)).toEqual([8, 10, 0]);
  expect((await contents()).get(keyOf(target))).toMatchObject({ total: 8 });
  expect(await others(target, { ...target, pass: 1 })).toEqual(Array.from({ length: 6 }, () => untouched));
});

test("totals that grow keep the first and the last time of counting, and how many have none that is known", async () => {
  expect(await times(target)).toEqual([8, 10, 0]);
  const { sessionId, areaId, pass } = target;
  const added = {
    sessionId,
    areaId,
    pass,
    deviceId: randomUUID(),
    sku: "TEE",
    scannedBy: userId,
    sentBy: userId,
  };
  for (const [seq, hour] of [7, 11, 9, 6, 12].entries()) {
    const given = { seq, timeKnown: seq < 3, scannedAt: new Date(Date.UTC(2026, 2, 1, hour)) };
    const id = await store({ ...added, ...given, status: "counted", reason: null });
    await run((transaction) => addToTotals(transaction, sql`scan.id = ${id}`));
  }
  expect(await times(target)).toEqual([7, 11, 2]);
});
