import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { createTestDatabase } from "../../database/testing.ts";
import type { Direction } from "../queries.ts";
import {
  addBareAdjustment,
  addBareRows,
  type BareRow,
  bareSessionInFile,
  makeBareSession,
} from "../testing/bare-adjustment.ts";
import { mayHaveMoved, recordNothingMoved } from "./nothing-moved.ts";

const bare = bareSessionInFile();

interface Run {
  readonly direction?: Direction;
  readonly error?: string | null;
  readonly status?: "running" | "done" | "failed";
  /** Minutes since the day began. */
  readonly at: number;
}

const minute = (at: number) => new Date(Date.UTC(2026, 2, 1, 8, at));

async function addRun(
  adjustmentId: string,
  { direction = "deploy", error = null, status = "failed", at }: Run,
) {
  await bare.database
    .insertInto("operations")
    .values({
      ...{ kind: direction, status, storeId: null, sessionId: null, adjustmentId, total: null, error },
      ...{ errorCode: null, startedBy: null, worker: null, createdAt: minute(at) },
    })
    .execute();
}

async function book(adjustmentId: string, direction: Direction, at: number) {
  await bare.database
    .insertInto("stockLedger")
    .values({
      ...{
        sessionId: bare.sessionId,
        adjustmentId,
        chunkId: null,
        direction,
        sku: randomUUID(),
        inventoryItemId: "gid://1",
      },
      ...{ delta: 1, createdAt: minute(at) },
    })
    .execute();
}

async function prepareChunk(adjustmentId: string, direction: Direction) {
  await bare.database
    .insertInto("adjustmentChunks")
    .values({
      ...{ adjustmentId, direction, chunk: 1, attempt: 1, state: "intended", changes: "[]" },
      ...{ idempotencyKey: randomUUID(), referenceUri: "gid://1", groupId: null, error: null },
    })
    .execute();
}

const waiting: BareRow = { state: "waiting", note: "before" };
const sent: BareRow = { state: "sent", note: "before" };

/** An adjustment with two rows that wait, whose last run was asked for with it, if it is a rollback, and ended with the error "no network". */
async function failing(direction: Direction, rows: readonly BareRow[] = [waiting, sent]) {
  // A session has one at a time that is not over.
  const id = await addBareAdjustment(bare.database, await makeBareSession(bare.database), direction, rows);
  await bare.database
    .updateTable("adjustments")
    .set({ status: "pending", rollbackRequestedAt: minute(3) })
    .where("id", "=", id)
    .execute();
  await addRun(id, { direction, error: "an earlier one", at: 1 });
  await addRun(id, { direction, error: "no network", at: 3 });
  await addRun(id, { direction: direction === "deploy" ? "rollback" : "deploy", error: "another's", at: 5 });
  return id;
}

/** The last run of an adjustment in that direction. */
async function lastRun(adjustmentId: string, direction: Direction): Promise<string> {
  const { id } = await bare.database
    .selectFrom("operations")
    .select("id")
    .where("adjustmentId", "=", adjustmentId)
    .where("kind", "=", direction)
    .orderBy("createdAt", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
}

const end = (adjustmentId: string, direction: Direction) =>
  bare.database.transaction().execute(async (transaction) =>
    recordNothingMoved(
      transaction,
      {
        id: await lastRun(adjustmentId, direction),
        kind: direction,
        storeId: null,
        sessionId: bare.sessionId,
        adjustmentId,
        input: {},
        startedBy: null,
      },
      direction,
    ),
  );

async function stored(id: string) {
  const { status, note, rollbackRequestedAt } = await bare.database
    .selectFrom("adjustments")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const rows = await bare.database
    .selectFrom("adjustmentRows")
    .select(["direction", "state", "note"])
    .where("adjustmentId", "=", id)
    .orderBy("direction")
    .orderBy("state")
    .execute();
  return { status, note, isRequested: rollbackRequestedAt !== null, rows };
}

async function lastEntry(adjustmentId: string) {
  const { action, after } = await bare.database
    .selectFrom("auditEntries")
    .selectAll()
    .where("subjectId", "=", adjustmentId)
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  return { action, after };
}

const closed = (direction: Direction) => ({ direction, state: "not_moved", note: "no network" });

describe("a deploy that moved nothing", () => {
  test("has failed for the reason of its last run, and none of its rows goes again", async () => {
    const other = await failing("deploy");
    const id = await failing("deploy");
    await addBareRows(bare.database, id, "rollback", [waiting]);
    await end(id, "deploy");
    const untouched = [
      { direction: "deploy", state: "sent", note: "before" },
      { direction: "deploy", state: "waiting", note: "before" },
    ];
    expect(await stored(id)).toEqual({
      ...{ status: "failed", note: "no network", isRequested: true },
      rows: [closed("deploy"), closed("deploy"), { direction: "rollback", state: "waiting", note: "before" }],
    });
    expect(await stored(other)).toMatchObject({ status: "pending", note: "before", rows: untouched });
    expect(await lastEntry(id)).toMatchObject({
      action: "deploy.concluded",
      after: { status: "failed", error: "no network" },
    });
  });

  test("leaves rows alone that were settled already", async () => {
    const id = await failing("deploy", [waiting, { state: "not_moved", note: "untracked" }]);
    await end(id, "deploy");
    expect((await stored(id)).rows.map(({ note }) => note).sort()).toEqual(["no network", "untracked"]);
  });

  test("gives up what was prepared for it, and nothing of another", async () => {
    const [other, id] = [await failing("deploy"), await failing("deploy")];
    for (const adjustmentId of [other, id]) await prepareChunk(adjustmentId, "deploy");
    await end(id, "deploy");
    const chunks = await bare.database
      .selectFrom("adjustmentChunks")
      .select(["adjustmentId", "state"])
      .execute();
    expect(new Map(chunks.map(({ adjustmentId, state }) => [adjustmentId, state]))).toEqual(
      new Map([
        [other, "intended"],
        [id, "refused"],
      ]),
    );
  });

  test.each([
    [1, "no network 1 SKU was stocked at this location and stays active there, even after a rollback."],
    [2, "no network 2 SKUs were stocked at this location and stay active there, even after a rollback."],
  ])("says how many of its SKUs are stocked there by now: %s", async (count, note) => {
    const other = await failing("deploy", [{ ...waiting, activation: "done" }]);
    const stocked = Array.from({ length: count }, (): BareRow => ({ ...waiting, activation: "done" }));
    const id = await failing("deploy", [...stocked, { ...waiting, activation: "refused" }]);
    await addBareRows(bare.database, id, "rollback", [{ ...waiting, activation: "done" }]);
    await end(id, "deploy");
    expect(await stored(id)).toMatchObject({ status: "failed", note });
    expect((await stored(other)).note).toBe("before");
  });

  test("is partial again where an earlier run of it moved something, another's is none of it", async () => {
    const [other, id] = [await failing("deploy"), await failing("deploy", [waiting, { state: "confirmed" }])];
    await book(id, "deploy", 2);
    await end(id, "deploy");
    expect(await stored(id)).toMatchObject({ status: "partial", note: "1 SKU could not be moved." });
    await book(other, "rollback", 2);
    await end(other, "deploy");
    expect(await stored(other)).toMatchObject({ status: "failed", note: "no network" });
  });
});

describe("a rollback that moved nothing", () => {
  test("is not asked for any more", async () => {
    const [other, id] = [await failing("rollback"), await failing("rollback")];
    await book(id, "deploy", 2);
    await addRun(id, { direction: "deploy", status: "done", at: 4 });
    await addRun(other, { direction: "rollback", status: "done", at: 0 });
    await end(id, "rollback");
    expect(await stored(id)).toEqual({
      ...{ status: "pending", note: "no network", isRequested: false },
      rows: [closed("rollback"), closed("rollback")],
    });
    expect((await stored(other)).isRequested).toBe(true);
    expect(await lastEntry(id)).toMatchObject({ action: "rollback.concluded" });
  });

  test("is partial again where it was asked for earlier, whatever came of that", async () => {
    const id = await failing("rollback");
    await bare.database
      .updateTable("adjustments")
      .set({ rollbackRequestedAt: minute(0) })
      .where("id", "=", id)
      .execute();
    await end(id, "rollback");
    expect(await stored(id)).toMatchObject({
      ...{ status: "partial", isRequested: true },
      note: "2 SKUs could not be moved back. Resume the rollback, or settle what is left.",
    });
  });
});

test("what may have moved something is not ended: it stays, and is taken up again", async () => {
  const id = await failing("deploy");
  await book(id, "deploy", 3);
  await expect(end(id, "deploy")).rejects.toThrow(
    "An adjustment of which something was moved can't be ended as failed.",
  );
  expect(await stored(id)).toMatchObject({ status: "pending", note: "before" });
  await bare.database.deleteFrom("stockLedger").execute();
  await addBareRows(bare.database, id, "deploy", [{ state: "unclear" }]);
  await expect(end(id, "deploy")).rejects.toThrow();
});

test("what another adjustment moved, or was told since, is none of it", async () => {
  const [other, id] = [await failing("deploy"), await failing("deploy")];
  await book(other, "deploy", 4);
  await addBareRows(bare.database, other, "deploy", [{ state: "unclear" }]);
  await addRun(other, { error: "another's", at: 9 });
  await end(id, "deploy");
  expect(await stored(id)).toMatchObject({ status: "failed", note: "no network" });
  const booked = await failing("deploy");
  await book(booked, "deploy", 4);
  await expect(end(booked, "deploy")).rejects.toThrow("something was moved");
});

test("what can't be looked up may have moved, and the log says which operation it is", async () => {
  const { database, drop } = await createTestDatabase();
  await drop();
  const lines: string[] = [];
  const logger = pino({ level: "warn" }, { write: (line: string) => lines.push(line) });
  const [id, adjustmentId] = [randomUUID(), randomUUID()];
  expect(await mayHaveMoved({ database, logger }, { id, kind: "deploy", adjustmentId })).toBe(true);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { operation: id, msg: "What was moved could not be looked up" },
  ]);
});
