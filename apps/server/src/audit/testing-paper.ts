import * as contract from "@stocktake/contract";
import type { AuditWalk } from "./testing-walk.ts";

/** Loads a file of counts, which is checked first, and loads it again; then counts on sheets. */
export async function countOnPaper(walk: AuditWalk, sessionId: string, areaId: string): Promise<void> {
  const rows = [{ row: 2, area: "A2", code: "JK-1000", quantity: "3" }];
  const given = { params: { id: sessionId }, body: { file: "counts.csv", rows } };
  await walk.act(contract.checkCountRows, given);
  for (const _ of [1, 2]) await walk.act(contract.storeCountRows, given);
  await printAndKey(walk, sessionId, areaId);
}

/** Prints two sheets; one comes back empty and is keyed, twice, the other is lost. */
async function printAndKey(walk: AuditWalk, id: string, areaId: string): Promise<void> {
  const printed = { areaIds: [areaId], order: "walk" as const };
  for (const _ of [1, 2]) await walk.act(contract.printSheets, { params: { id }, body: printed });
  const params = { id, number: "1" };
  for (const _ of [1, 2]) await walk.act(contract.returnSheet, { params, body: {} });
  await walk.act(contract.voidSheet, { params: { id, number: "2" }, body: { reason: "Coffee" } });
}
