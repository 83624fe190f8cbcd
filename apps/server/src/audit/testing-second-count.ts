import * as contract from "@stocktake/contract";
import { countSecond } from "../assembly/http/testing-second-counts.ts";
import type { AuditWalk, Floor } from "./testing-walk.ts";

/** Has the first area, which is closed, counted once more; it differs, nobody counts it a third time, and one count is chosen. */
export async function countTwice(walk: AuditWalk, floor: Floor, sessionId: string): Promise<void> {
  const { admin } = walk.server;
  const areaId = floor.areaIds[0] ?? "";
  const body = { areaId };
  const ofSession = { params: { id: sessionId } };
  // As after a restore: what was committed when the session started can't be drawn by any more.
  await walk.server.database.pool.query("delete from sample_secrets");
  await walk.act(contract.drawSample, { ...ofSession, body: { areas: 1 } });
  await walk.act(contract.voidSample, { ...ofSession, body: { number: 1, reason: "Nobody is left" } });
  const none = { units: null, money: null, stockPercent: null, moneyPercent: null };
  const tolerance = { over: none, short: { ...none, money: 12.5 } };
  await walk.act(contract.setSessionTolerance, { ...ofSession, body: { tolerance } });
  await walk.act(contract.setSessionTolerance, { ...ofSession, body: { tolerance } });
  await walk.act(contract.setSessionTolerance, { ...ofSession, body: { tolerance: null } });
  const ofStore = { params: { id: floor.storeId } };
  await walk.act(contract.setStoreTolerance, { ...ofStore, body: { tolerance } });
  await walk.act(contract.setStoreTolerance, { ...ofStore, body: { tolerance: null } });
  await walk.act(contract.askSecondCounts, { ...ofSession, body: { skus: ["JK-1001"] } });
  await walk.act(contract.askSecondCounts, { ...ofSession, body: { skus: ["JK-1001"] } });
  await admin.call(contract.cancelSecondCount, { body });
  await walk.act(contract.askSecondCount, { body });
  await walk.act(contract.askSecondCount, { body });
  await walk.act(contract.cancelSecondCount, { body });
  await walk.act(contract.askSecondCount, { body });
  const { sessions } = await admin.call(contract.listSessions, {});
  const session = sessions.find(({ _id }) => _id === sessionId);
  if (session === undefined) throw new Error("The session is not listed.");
  const store = { id: floor.storeId, locationId: floor.locationId };
  const area = { id: areaId, code: "A1" };
  await countSecond(
    { server: walk.server, store, session, area },
    { "JK-1001": 1, "JK-1002": 1 },
    (finished, api) => walk.act(contract.finishArea, { body: finished }, api),
  );
  await walk.act(contract.cancelSecondCount, { body });
  const params = { id: sessionId };
  const { differences } = await admin.call(contract.countDifferences, { params });
  for (const { ofPass, sku } of differences) {
    const choice = { areaId, ofPass, sku, choice: "first", reason: "Nothing is there" } as const;
    await walk.act(contract.settleDifference, { params, body: choice });
  }
}
