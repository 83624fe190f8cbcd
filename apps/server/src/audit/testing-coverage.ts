import * as contract from "@stocktake/contract";
import { whileBeyondTolerance } from "../testing/beyond-tolerance.ts";
import { putOpenedDevice } from "../testing/opened-device.ts";
import type { AuditWalk } from "./testing-walk.ts";

/** Of an ended session in which nobody has counted: says that all of it was so on purpose, and issues its certificate. */
export async function coverUp(walk: AuditWalk, sessionId: string): Promise<void> {
  const params = { id: sessionId };
  const { areas } = await walk.server.admin.call(contract.listCoveredAreas, { params });
  const areaIds = areas.map(({ area }) => area._id);
  const isVoid = { as: "void" as const, stated: true, reason: "The count was put off" };
  for (const areaId of areaIds)
    await walk.act(contract.stateAreas, { params, body: { ...isVoid, areaIds: [areaId] } });
  const [first = ""] = areaIds;
  for (const stated of [true, false, false, true])
    await walk.act(contract.stateAreas, { params, body: { ...isVoid, stated, areaIds: [first] } });
  await accountForDevice(walk, sessionId);
  await doWithout(walk, { sessionId, areaId: first });
  for (const leftAlone of [true, true, false, false, true])
    await walk.act(contract.leaveStockAlone, { params, body: { every: {}, leftAlone, reason: "Put off" } });
  for (const _ of [1, 2]) await walk.act(contract.issueCertificate, { params });
}

/** Of a SKU that is beyond tolerance, and that nobody has counted again. */
async function doWithout(
  walk: AuditWalk,
  place: { readonly sessionId: string; readonly areaId: string },
): Promise<void> {
  const params = { id: place.sessionId };
  await whileBeyondTolerance(walk.server, place, async (sku) => {
    for (const stated of [true, false])
      await walk.act(contract.stateBeyondTolerance, {
        params,
        body: { skus: [sku], stated, reason: "No time" },
      });
  });
}

/** One that has opened an area, and was never heard of. */
async function accountForDevice(walk: AuditWalk, sessionId: string): Promise<void> {
  const body = {
    deviceIds: [await putOpenedDevice(walk.server, sessionId)],
    reason: "Looked at: nothing to send",
  };
  for (const stated of [true, true, false, true])
    await walk.act(contract.stateDevices, { params: { id: sessionId }, body: { ...body, stated } });
}
