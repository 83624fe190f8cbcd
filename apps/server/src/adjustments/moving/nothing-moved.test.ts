import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AdjustmentChunksTable, AdjustmentRowsTable } from "../../database/tables.ts";
import { requireNotDeployed } from "../planning/plan-deploy.ts";
import { requireApplied } from "../planning/plan-rollback.ts";
import { StockRoomScene } from "../testing/scene.ts";
import { skuOf } from "../testing/stock-room.ts";
import { conclude } from "./conclude.ts";
import { mayHaveMoved } from "./nothing-moved.ts";

type Direction = AdjustmentRowsTable["direction"];

const scene = new StockRoomScene(3);
let sessionId: string;
let adjustmentId: string;
let operationId: string;

/** A deploy that was asked for and has not begun. */
beforeAll(async () => {
  sessionId = await scene.count();
  operationId = await scene.request(sessionId, "deploy");
  ({ id: adjustmentId } = await scene.database
    .selectFrom("adjustments")
    .select("id")
    .where("sessionId", "=", sessionId)
    .executeTakeFirstOrThrow());
});

beforeEach(async () => {
  const { database } = scene;
  await sql`truncate stock_ledger`.execute(database);
  await sql`delete from adjustment_chunks`.execute(database);
  await sql`delete from adjustments where id <> ${adjustmentId}`.execute(database);
  await database
    .updateTable("adjustmentRows")
    .set({ state: "waiting", doubtful: false, direction: "deploy", unmovable: null, note: null })
    .execute();
});

function maybe(kind: Direction = "deploy"): Promise<boolean> {
  return mayHaveMoved(scene.context, { id: operationId, kind, adjustmentId });
}

async function addChunk(
  state: "intended" | "sent" | "refused",
  more: { answerLost?: boolean; ofAdjustment?: string } = {},
): Promise<void> {
  const { answerLost = false, ofAdjustment = adjustmentId } = more;
  const chunk: Pick<AdjustmentChunksTable, "direction" | "chunk" | "attempt"> = {
    ...{ direction: "deploy", chunk: 1, attempt: 1 },
  };
  await scene.database
    .insertInto("adjustmentChunks")
    .values({
      ...{ ...chunk, adjustmentId: ofAdjustment, state, answerLost, changes: "[]" },
      ...{
        idempotencyKey: randomUUID(),
        referenceUri: "gid://stocktake/CycleCount/1",
        groupId: null,
        error: null,
      },
    })
    .execute();
}

async function otherAdjustment(): Promise<string> {
  const { id } = await scene.database
    .insertInto("adjustments")
    .values({
      ...{ sessionId, status: "failed", basis: "end", zeroUncounted: false, totalAdjustments: 1 },
      ...{ note: null, appliedBy: null, rollbackRequestedBy: null },
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Books a SKU as moved, so many seconds after the operation began. */
async function book(direction: Direction, seconds: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into stock_ledger (session_id, adjustment_id, direction, sku, inventory_item_id, delta, created_at)
    select ${sessionId}, ${adjustmentId}, ${direction}, ${skuOf(0)}, 'gid://1', 1,
      created_at + make_interval(secs => ${seconds})
    from operations where id = ${operationId} returning id::integer`.execute(scene.database);
  return rows[0]?.id ?? 0;
}

function setRow(
  set: Partial<Pick<AdjustmentRowsTable, "direction" | "note">> & {
    state?: "waiting" | "sent" | "unclear" | "confirmed" | "not_moved";
    doubtful?: boolean;
  },
  index = 0,
) {
  return scene.database.updateTable("adjustmentRows").set(set).where("sku", "=", skuOf(index)).execute();
}

describe("whether an operation may have moved anything", () => {
  test("is no before anything was sent, and where what was prepared or refused is all", async () => {
    expect(await maybe()).toBe(false);
    await addChunk("intended");
    expect(await maybe()).toBe(false);
    await sql`update adjustment_chunks set state = 'refused', answer_lost = true`.execute(scene.database);
    expect(await maybe()).toBe(false);
  });

  test("is yes while a send of its own is under way or was lost; another adjustment's is none of it", async () => {
    await addChunk("sent", { ofAdjustment: await otherAdjustment() });
    expect(await maybe()).toBe(false);
    await addChunk("sent");
    expect(await maybe()).toBe(true);
    await sql`update adjustment_chunks set state = 'intended', answer_lost = true
      where adjustment_id = ${adjustmentId}`.execute(scene.database);
    expect(await maybe()).toBe(true);
  });

  test.each([
    ["after it was asked for, whatever the clock says", -3600, (id: number) => id - 1, true],
    ["before it was asked for, whatever the clock says", 3600, (id: number) => id, false],
    ["at the moment that one of an earlier release began", 0, () => null, true],
    ["before one of an earlier release began", -1, () => null, false],
  ] as const)("is decided by what was booked: %s", async (_when, seconds, ledgerBefore, expected) => {
    const booked = await book("deploy", seconds);
    await sql`update operations set input = ${JSON.stringify({ ledgerBefore: ledgerBefore(booked) })}::jsonb
      where id = ${operationId}`.execute(scene.database);
    expect(await maybe()).toBe(expected);
  });

  test("speaks of its own direction", async () => {
    await book("rollback", 1);
    expect(await maybe("deploy")).toBe(false);
    await setRow({ direction: "rollback", state: "unclear" });
    expect([await maybe("deploy"), await maybe("rollback")]).toEqual([false, true]);
  });

  test("is yes with a row that is unclear, or waits, or is prepared, and might still be moved by a lost send", async () => {
    await setRow({ state: "waiting", doubtful: true });
    expect(await maybe()).toBe(true);
    await setRow({ state: "sent", doubtful: true });
    expect(await maybe()).toBe(true);
    await setRow({ state: "confirmed", doubtful: true });
    expect(await maybe()).toBe(false);
    await setRow({ state: "unclear", doubtful: false });
    expect(await maybe()).toBe(true);
  });
});

describe("what a deploy has come to", () => {
  const concluded = async () => {
    const outcome = await scene.database
      .transaction()
      .execute((transaction) => conclude(transaction, adjustmentId, "deploy"));
    const { status, note } = await scene.database
      .selectFrom("adjustments")
      .select(["status", "note"])
      .where("id", "=", adjustmentId)
      .executeTakeFirstOrThrow();
    await scene.database
      .updateTable("adjustments")
      .set({ status: "pending", note: null })
      .where("id", "=", adjustmentId)
      .execute();
    return { ...outcome, status, note };
  };

  test("is partial, and says so, with a row that was not moved and may be", async () => {
    for (const index of [0, 1]) await setRow({ state: "confirmed" }, index);
    await setRow({ state: "not_moved", note: "because" }, 2);
    const note = "1 SKU could not be moved.";
    expect(await concluded()).toEqual({ failed: false, firstNote: "because", status: "partial", note });
  });

  test("is failed where no row was moved", async () => {
    for (const index of [0, 1, 2]) await setRow({ state: "not_moved", note: "because" }, index);
    const note = "3 SKUs could not be moved.";
    expect(await concluded()).toEqual({ failed: true, firstNote: "because", status: "failed", note });
  });
});

describe("while the stock of a report is being moved", () => {
  const operation = (kind: Direction) =>
    scene.database.updateTable("operations").set({ kind }).where("id", "=", operationId).execute();

  test("by its deploy, another deploy and a rollback are told that it runs", async () => {
    const running = { code: "DEPLOY_RUNNING" };
    const deploying = { ...running, message: expect.stringContaining("is being deployed") };
    await expect(requireNotDeployed(scene.database, sessionId)).rejects.toMatchObject(deploying);
    await expect(requireApplied(scene.database, sessionId)).rejects.toMatchObject(running);
  });

  test("by its rollback, each is told that", async () => {
    await operation("rollback");
    const goingBack = { code: "DEPLOY_RUNNING", message: expect.stringContaining("is being rolled back") };
    await expect(requireNotDeployed(scene.database, sessionId)).rejects.toMatchObject(goingBack);
    await expect(requireApplied(scene.database, sessionId)).rejects.toMatchObject({
      code: "ROLLBACK_RUNNING",
    });
    await operation("deploy");
  });
});
