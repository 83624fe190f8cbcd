import { decideExceptions, takeBackDecisions } from "@stocktake/contract";
import { epcOf } from "@stocktake/testkit/epc";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { lockTags } from "../../passes/passes.ts";
import { countWaiting } from "../../testing/waiting-transactions.ts";
import { areaRow, codes, countInEachTest, countsOf, type ScanReply, scan } from "../testing/scene.ts";
import { LockedAreas } from "./locked-area-queries.ts";

const scene = countInEachTest();

interface Decision {
  readonly action: "accept" | "dismiss";
  readonly sku?: string;
  readonly areaId?: string;
}

async function decide(reply: ScanReply, decision: Decision) {
  const body = { ...decision, scanIds: [reply.scan._id] };
  const given = { params: { id: scene.session._id }, body };
  const [decided] = (await scene.server.admin.call(decideExceptions, given)).scans;
  return decided?.outcome;
}

async function takeBack(...replies: readonly ScanReply[]) {
  const body = { scanIds: replies.map((reply) => reply.scan._id) };
  const given = { params: { id: scene.session._id }, body };
  return (await scene.server.admin.call(takeBackDecisions, given)).scans.map(({ outcome }) => outcome);
}

const unknown = (seq: number, areaCode = "A1") => scan(scene, { seq, input: codes.unknown.input, areaCode });
const database = () => scene.server.database.database;

const untilWaiting = (transactions: number) => expect.poll(() => countWaiting(database())).toBe(transactions);

const statusOf = async ({ scan: { _id: id } }: ScanReply) => {
  const scans = database().selectFrom("scans").select("status");
  return (await scans.where("id", "=", Number(id)).executeTakeFirstOrThrow()).status;
};

test("a decision waits for whoever holds the area of its scan, even by a scan", async () => {
  const waiting = await unknown(1);
  const { id } = await areaRow(scene);
  const { outcome } = await database()
    .transaction()
    .execute(async (transaction) => {
      await sql`select from areas where id = ${id} for key share`.execute(transaction);
      const outcome = decide(waiting, { action: "dismiss" });
      await untilWaiting(1);
      return { outcome };
    });
  expect(await outcome).toBe("done");
});

test("a decision, made or taken back, is not held up by another area", async () => {
  const [first, second] = [await unknown(1), await unknown(2, "A2")];
  const { sku } = codes.jacketS;
  for (const scanned of [first, second]) await decide(scanned, { action: "accept", sku });
  const third = await unknown(3);
  await database()
    .transaction()
    .execute(async (transaction) => {
      const { id } = await areaRow(scene, "A2");
      await sql`select from areas where id = ${id} for update`.execute(transaction);
      const decided = decide(third, { action: "dismiss" });
      await expect.poll(() => statusOf(third)).toBe("voided");
      const takenBack = decided.then(() => takeBack(first));
      await expect.poll(() => statusOf(first)).toBe("unresolved");
      expect(await takenBack).toEqual(["done"]);
    });
});

test("areas are locked in the order of their ids, in whatever order the database has them", async () => {
  const ids = scene.store.areas.map(({ id }) => id).toSorted();
  const [lowest = "", ...others] = ids;
  const session = { id: scene.session._id, storeId: scene.store.id, isRunning: true };
  // The row that is written last comes last where a table is read from its beginning.
  await sql`update areas set name = name where id = ${lowest}`.execute(database());
  const lock = () =>
    database()
      .transaction()
      .execute(async (transaction) => {
        for (const way of ["indexscan", "indexonlyscan", "bitmapscan"]) {
          await sql`set local ${sql.raw(`enable_${way}`)} = off`.execute(transaction);
        }
        await LockedAreas.lock(transaction, session, ids);
      });
  const { locked } = await database()
    .transaction()
    .execute(async (transaction) => {
      await sql`select from areas where id = ${lowest} for update`.execute(transaction);
      const locked = lock();
      await untilWaiting(1);
      await sql`select from areas where id = any(${others}::uuid[]) for update nowait`.execute(transaction);
      return { locked };
    });
  await locked;
});

test("S42: the tag of a scan is locked where it is to be accepted, and only there", async () => {
  const input = epcOf(codes.jacketS.input, 1);
  // Of passes that the area never had.
  const one = await scan(scene, { seq: 1, input, pass: 98 });
  const other = await scan(scene, { seq: 2, input, areaCode: "A2", pass: 99 });
  const tags = await database()
    .selectFrom("scans")
    .select("tag")
    .where("sessionId", "=", scene.session._id)
    .execute();
  const { accepted } = await database()
    .transaction()
    .execute(async (transaction) => {
      await lockTags(
        transaction,
        scene.session._id,
        tags.flatMap(({ tag }) => tag ?? []),
      );
      const dismissed = decide(one, { action: "dismiss" });
      await expect.poll(() => statusOf(one)).toBe("voided");
      const accepted = dismissed.then(() => decide(other, { action: "accept" }));
      await untilWaiting(1);
      return { accepted };
    });
  expect(await accepted).toBe("done");
});

test("a scan that somebody else has counted in another area meanwhile is settled", async () => {
  const waiting = await unknown(1);
  const sku = codes.jacketS.sku;
  const areaId = scene.store.areas[1]?.id ?? "";
  const { outcomes } = await database()
    .transaction()
    .execute(async (transaction) => {
      await sql`select from sessions where id = ${scene.session._id} for update`.execute(transaction);
      const first = decide(waiting, { action: "accept", sku, areaId });
      await untilWaiting(1);
      const second = decide(waiting, { action: "accept", sku });
      await untilWaiting(2);
      return { outcomes: Promise.all([first, second]) };
    });
  expect(await outcomes).toEqual(["done", "settled_meanwhile"]);
  expect(await countsOf(scene)).toEqual({ [sku]: 1 });
});

test("totals are lowered in the order of their keys, in whatever order the scans of a decision came", async () => {
  const skus = [codes.jacketM.sku, codes.jacketS.sku, codes.jacketL.sku];
  const [first, ...others] = skus.toSorted();
  const accepted: ScanReply[] = [];
  for (const [index, sku] of skus.entries()) {
    const scanned = await unknown(index + 1);
    await decide(scanned, { action: "accept", sku });
    accepted.push(scanned);
  }
  const { answer } = await database()
    .transaction()
    .execute(async (transaction) => {
      const ofSession = sql`select from scan_totals where session_id = ${scene.session._id}`;
      await sql`${ofSession} and sku = ${first} for update`.execute(transaction);
      const answer = takeBack(...accepted);
      await untilWaiting(1);
      await sql`${ofSession} and sku = any(${others}::text[]) for update nowait`.execute(transaction);
      return { answer };
    });
  expect(await answer).toEqual(["done", "done", "done"]);
  expect(await countsOf(scene)).toEqual({});
});
