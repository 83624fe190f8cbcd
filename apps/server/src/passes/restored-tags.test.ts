import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../database/pool.ts";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import { countWaiting } from "../testing/waiting-transactions.ts";
import { beginNextPass, lockTags, type Pass, restorePass } from "./passes.ts";
import { makePasses, makeUser } from "./testing.ts";

let db: TestDatabase;
let userId: string;
beforeAll(async () => {
  db = await createTestDatabase();
  userId = await makeUser(db.database, "admin");
});
afterAll(() => db.drop());

interface Read {
  readonly status: "counted" | "unresolved" | "voided";
  readonly reason: string | null;
  readonly tag: string;
}

async function store(
  pass: Pass,
  seq: number,
  { status, reason, tag }: Read,
  database: Database = db.database,
): Promise<number> {
  const { id } = await database
    .insertInto("scans")
    .values({
      ...{ ...pass, seq, status, reason, tag, sku: status === "unresolved" ? null : "TEE" },
      ...{ storeId: randomUUID(), locationId: randomUUID(), deviceId: "reader", opId: null },
      ...{ input: "x", inputType: "sku", method: "scan", timeKnown: true, scannedAt: new Date() },
      ...{ scannedBy: userId, sentBy: userId, resolvedBy: null, sentPass: null, givenScannedAt: null },
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

const counted: Read = { status: "counted", reason: null, tag: "A" };
const repeated: Read = { status: "voided", reason: "TAG_COUNTED", tag: "A" };

/** A second pass whose tags A and B are known, and one of another area. */
async function twoAreas() {
  const { passes } = await makePasses({ database: db.database, userId });
  const target = passes.find(({ pass }) => pass === 2);
  const elsewhere = passes.find(({ areaId }) => areaId !== target?.areaId);
  if (target === undefined || elsewhere === undefined) throw new Error("There is no pass.");
  await db.database
    .transaction()
    .execute((transaction) => lockTags(transaction, target.sessionId, ["A", "B"]));
  return { target, elsewhere };
}

test("a restored pass takes along the other reads of its tags, and no other scan that counts nothing", async () => {
  const { target, elsewhere } = await twoAreas();
  await store(elsewhere, 11, { ...counted, tag: "B" });
  const ids = {
    counted: await store(target, 12, counted),
    repeated: await store(target, 13, repeated),
    dismissed: await store(target, 14, { ...repeated, reason: "DISMISSED" }),
    unknown: await store(target, 15, { status: "unresolved", reason: "UNKNOWN_CODE", tag: "B" }),
    ofAnotherPass: await store({ ...target, pass: 1 }, 16, repeated),
  };
  await db.database.transaction().execute(async (transaction) => {
    await beginNextPass(transaction, target, { endedAs: "reset", endedBy: userId });
    await restorePass(transaction, { ...target, pass: 3 }, { pass: 2, endedBy: userId });
  });
  const stored = await db.database
    .selectFrom("scans")
    .select(["id", "pass", "status", "reason"])
    .where("id", "in", Object.values(ids))
    .execute();
  const became = Object.entries(ids).map(([name, id]) => {
    const scan = stored.find((each) => each.id === id);
    return [name, [scan?.pass, scan?.status, scan?.reason]];
  });
  expect(Object.fromEntries(became)).toEqual({
    counted: [4, "counted", null],
    repeated: [4, "voided", "TAG_COUNTED"],
    dismissed: [2, "voided", "DISMISSED"],
    unknown: [4, "unresolved", "UNKNOWN_CODE"],
    ofAnotherPass: [1, "voided", "TAG_COUNTED"],
  });
});

test("a restored read waits for whoever decides on its tag, and then for an administrator", async () => {
  const { target, elsewhere } = await twoAreas();
  const { database } = db;
  const id = await store(target, 12, counted);
  await database
    .transaction()
    .execute((transaction) => beginNextPass(transaction, target, { endedAs: "reset", endedBy: userId }));
  const { restored } = await database.transaction().execute(async (transaction) => {
    await lockTags(transaction, target.sessionId, [counted.tag]);
    await store(elsewhere, 11, counted, transaction);
    const restored = database
      .transaction()
      .execute((other) => restorePass(other, { ...target, pass: 3 }, { pass: 2, endedBy: userId }));
    await expect.poll(() => countWaiting(database)).toBe(1);
    return { restored };
  });
  await restored;
  const read = await database
    .selectFrom("scans")
    .select(["pass", "status", "reason"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  expect(read).toEqual({ pass: 4, status: "unresolved", reason: "TAG_ELSEWHERE" });
});
