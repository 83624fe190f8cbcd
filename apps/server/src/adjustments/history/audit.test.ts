import { expect, test } from "vitest";
import { serverActor } from "../../audit/actors.ts";
import { StockRoomScene } from "../testing/scene.ts";
import { recordMove } from "./audit.ts";

const scene = new StockRoomScene(3);

test("the units of a move may be more than any SKU can have", async () => {
  const { database } = scene;
  const sessionId = await scene.count();
  await scene.request(sessionId, "deploy");
  const units = 1_000_000_000;
  await database.updateTable("adjustmentRows").set({ delta: units, state: "confirmed" }).execute();
  const { id: adjustmentId } = await database
    .selectFrom("adjustments")
    .select("id")
    .executeTakeFirstOrThrow();
  const move = { adjustmentId, direction: "deploy", actor: serverActor, action: "deploy.concluded" } as const;
  await database.transaction().execute((transaction) => recordMove(transaction, move));
  const entries = await database.selectFrom("auditEntries").select("after").orderBy("id", "desc").execute();
  expect(entries[0]?.after).toMatchObject({ units: 3 * units, confirmedUnits: 3 * units });
});
