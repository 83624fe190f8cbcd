import * as contract from "@stocktake/contract";
import type { AuditWalk } from "./testing-walk.ts";

/** Has belts looked for, which nobody finds by a device that holds nothing else; the administrator believes otherwise and takes the list back. */
export async function searchFor(walk: AuditWalk, sessionId: string): Promise<void> {
  const params = { id: sessionId };
  await walk.act(contract.createSearches, { params, body: { skus: ["BELT-1"] } });
  await walk.act(contract.createSearches, { params, body: { every: { words: "belt" } } });
  const ofList = { params: { ...params, number: "1" } };
  const said = { sku: "BELT-1", answer: "not_there" as const };
  const queue = { sessionId, deviceId: "device-1", pending: 0, pendingOrder: 1 };
  await walk.act(contract.reportQueue, { body: queue });
  for (const _ of [1, 2]) {
    await walk.act(contract.answerSearch, { ...ofList, body: { ...said, deviceId: "device-1" } });
  }
  for (const _ of [1, 2]) {
    await walk.act(contract.decideSearch, { params, body: { ...said, answer: "found" } });
  }
  for (const _ of [1, 2]) await walk.act(contract.withdrawSearch, ofList);
}
