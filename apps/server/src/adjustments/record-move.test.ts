import { afterAll, beforeAll, expect, test } from "vitest";
import { serverActor } from "../audit/actors.ts";
import { recordMove } from "./record-move.ts";
import { request } from "./testing/moving.ts";
import { countSession, openStockRoom, type StockRoom } from "./testing/stock-room.ts";

let room: StockRoom;
beforeAll(async () => {
  room = await openStockRoom(3);
});
afterAll(() => room.close());

test("the units of a move may be more than any SKU can have", async () => {
  const { database } = room.database;
  const sessionId = await countSession(room);
  await request(room.server, room, sessionId, "deploy");
  const units = 1_000_000_000;
  await database.updateTable("adjustment_rows").set({ delta: units, state: "confirmed" }).execute();
  const { id: adjustmentId } = await database
    .selectFrom("adjustments")
    .select("id")
    .executeTakeFirstOrThrow();
  const move = { adjustmentId, direction: "deploy", actor: serverActor, action: "deploy.concluded" } as const;
  await database.transaction().execute((transaction) => recordMove(transaction, move));
  const entries = await database.selectFrom("audit_entries").select("after").orderBy("id", "desc").execute();
  expect(entries[0]?.after).toMatchObject({ units: 3 * units, confirmedUnits: 3 * units });
});
