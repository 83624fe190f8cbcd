import * as contract from "@stocktake/contract";
import type { AuditWalk } from "./testing-walk.ts";

/** Loads a file of counts, which is checked first, and loads it again. */
export async function countOnPaper(walk: AuditWalk, sessionId: string): Promise<void> {
  const rows = [{ row: 2, area: "A2", code: "JK-1000", quantity: "3" }];
  const given = { params: { id: sessionId }, body: { file: "counts.csv", rows } };
  await walk.act(contract.checkCountRows, given);
  for (const _ of [1, 2]) await walk.act(contract.storeCountRows, given);
}
