import * as contract from "@stocktake/contract";
import { sql } from "kysely";
import type { AuditWalk } from "./testing-walk.ts";

/** Ends the session, changes the report, deploys, settles what is left open, and rolls back. */
export async function settleUp(walk: AuditWalk, sessionId: string): Promise<void> {
  const params = { sessionId };
  await walk.act(contract.endSession, { body: { sessionId } });
  for (const included of [true, true, false]) {
    await walk.act(contract.includeFigures, { params, body: { skus: ["JK-1000"], included } });
  }
  for (const [sku, newCount] of [
    ["JK-1000", 5],
    ["JK-1001", 10],
    ["JK-1002", 3],
  ] as const) {
    await walk.act(contract.adjustCount, { params, body: { sku, newCount, reason: "recount" } });
  }
  await walk.act(contract.setBasis, { params, body: { basis: "count" } });
  await walk.act(contract.setBasis, { params, body: { basis: "end" } });
  await walk.act(contract.setBasis, { params, body: { basis: "end" } });
  await walk.act(contract.writeAuditorsFile, { params });
  await sql`update sessions set restored = true, backup_made_at = now() where id = ${sessionId}`.execute(
    walk.server.database.database,
  );
  for (let times = 0; times < 2; times += 1) {
    await walk.act(contract.releaseSession, { params: { id: sessionId }, body: {} });
  }
  const { admin } = walk.server;
  await cancelInHand(walk, sessionId, () => admin.call(contract.deployReport, { params, body: {} }));
  await cancelInHand(walk, sessionId, () => admin.call(contract.rollbackReport, { params }));
  await walk.act(contract.deployReport, { params, body: {} });
  const { adjustments } = await walk.server.admin.call(contract.listAdjustments, { params });
  const adjustmentId = adjustments[0]?._id ?? "";
  await undoMove(walk, adjustmentId, "JK-1000", "unclear");
  await walk.act(contract.settleRow, { params: { adjustmentId }, body: { sku: "JK-1000", applied: true } });
  await undoMove(walk, adjustmentId, "JK-1001", "not_moved");
  await walk.act(contract.resumeAdjustment, { params: { adjustmentId } });
  await undoMove(walk, adjustmentId, "JK-1002", "not_moved");
  await walk.act(contract.leaveRows, { params: { adjustmentId } });
  await walk.server.shop.changeVariant({ item: "JK-1000", change: { tracked: false } });
  await walk.act(contract.rollbackReport, { params });
  await walk.server.shop.changeVariant({ item: "JK-1000", change: { tracked: true } });
  await walk.act(contract.resumeAdjustment, { params: { adjustmentId } });
}

/** Cancels a move whose one call Shopify is already working on: it ends as if nobody had. */
async function cancelInHand(walk: AuditWalk, sessionId: string, move: () => Promise<unknown>): Promise<void> {
  const { admin, shop } = walk.server;
  const params = { sessionId };
  await shop.addFaults({
    faults: [{ match: { field: "inventoryAdjustQuantities" }, effect: { kind: "hang", when: "before" } }],
  });
  const moved = move();
  await shop.untilHanging();
  const { adjustments } = await admin.call(contract.listAdjustments, { params });
  await walk.act(contract.cancelAdjustment, { params: { adjustmentId: adjustments[0]?._id ?? "" } });
  await shop.releaseHanging();
  await moved;
}

/** Leaves a SKU of an applied deploy as if it had not been moved, or its outcome were unclear. */
async function undoMove(
  { server }: AuditWalk,
  adjustmentId: string,
  sku: string,
  state: "unclear" | "not_moved",
): Promise<void> {
  const { database } = server.database;
  await sql`delete from stock_ledger where adjustment_id = ${adjustmentId} and sku = ${sku}`.execute(
    database,
  );
  await sql`update adjustment_rows set state = ${state} where adjustment_id = ${adjustmentId} and sku = ${sku}`.execute(
    database,
  );
  await sql`update adjustments set status = 'partial' where id = ${adjustmentId}`.execute(database);
}
