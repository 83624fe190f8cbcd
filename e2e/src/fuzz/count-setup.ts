import {
  areaScans,
  createAreas,
  createLocation,
  endSession,
  setStoreTolerance,
  startSession,
} from "@stocktake/contract";
import type { RunningCount } from "../running-count.ts";
import type { FuzzStage } from "./fuzz-stage.ts";
import type { FuzzArea } from "./walk.ts";

export const names = ["Ada", "Ben", "Cleo"] as const;
export const cloneCode = "Clone";
export const sharedCode = "Shared";

/** A new session of the store, in its own location. */
export async function beginCount({ first }: FuzzStage): Promise<RunningCount> {
  const { admin, storeId } = first;
  await admin.attempt(endSession, { body: { sessionId: first.sessionId } });
  await admin.call(setStoreTolerance, { params: { id: storeId }, body: { tolerance: null } });
  const name = `Floor ${crypto.randomUUID().slice(0, 8)}`;
  const { location } = await admin.call(createLocation, { body: { name, storeId } });
  const started = await admin.call(startSession, { body: { storeId, scope: "partial" } });
  if (!("session" in started)) throw new Error("Starting the session took longer than a call.");
  const codes = [...names.flatMap((each) => [`${each}1`, `${each}2`]), cloneCode, sharedCode];
  const body = { areas: codes.map((code) => ({ code })) };
  const { areas } = await admin.call(createAreas, { params: { id: location._id }, body });
  return { admin, storeId, locationId: location._id, sessionId: started.session._id, areas };
}

/** The areas with access to their current pass. */
export async function createFuzzAreas({ admin, areas, ...ids }: RunningCount): Promise<FuzzArea[]> {
  return areas.map(({ _id: areaId, code: areaCode }): FuzzArea => {
    const params = { sessionId: ids.sessionId, areaCode };
    const currentPass = async () => {
      try {
        const outcome = await admin.attempt(areaScans, { params, query: { locationId: ids.locationId } });
        return outcome.ok ? outcome.body.pass : null;
      } catch {
        // The server is unreachable: the walk continues in its last known pass.
        return null;
      }
    };
    return { area: { ...ids, areaId, areaCode }, isOwn: areaCode !== sharedCode, currentPass };
  });
}
