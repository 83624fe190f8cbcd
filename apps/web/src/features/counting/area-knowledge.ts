import { areaScans } from "@stocktake/contract";
import { callApi } from "../../http/call.ts";
import { ApiError, NoAnswerError } from "../../http/errors.ts";
import { type CountingDevice, readPass } from "../../offline/offline.ts";
import { isPassChanging } from "./area-notes.ts";
import type { CountingPlace } from "./route-state.ts";
import { rebuildTally, type Tally } from "./tally.ts";

type AreaAnswer = Awaited<ReturnType<typeof askServer>>;

const timeoutMs = 8_000;

async function askServer(place: CountingPlace) {
  try {
    return await callApi(areaScans, {
      params: { sessionId: place.sessionId, areaCode: place.area.code },
      query: { locationId: place.locationId },
      timeoutMs,
    });
  } catch (error) {
    // Without the server the device's own rows are what there is; a refusal shows in the next answer to a scan.
    if (error instanceof NoAnswerError || error instanceof ApiError) return null;
    throw error;
  }
}

/** What is known of the area's present pass. */
export interface AreaKnowledge {
  readonly pass: number;
  readonly tally: Tally;
  readonly othersCounted: boolean;
}

async function isOverruled(
  device: CountingDevice,
  place: CountingPlace,
  answer: AreaAnswer,
): Promise<boolean> {
  if (answer === null || answer.pass === place.pass) return false;
  // A reset or finish of this device's own that is still on its way explains the difference.
  return answer.pass < place.pass || (await isPassChanging(device.database, place.sessionId, place.areaId));
}

/** Asks the server for the pass and its scans, and puts them together with this device's rows. */
export async function learnArea(device: CountingDevice, place: CountingPlace): Promise<AreaKnowledge> {
  const before = await readPass(device.database, place.sessionId, place.areaId, place.pass);
  const settledBefore = new Set(before.scans.filter((scan) => scan.synced).map((scan) => scan.id));
  const answer = await askServer(place);
  const isUsable = answer !== null && !(await isOverruled(device, place, answer));
  const pass = isUsable ? answer.pass : place.pass;
  const rows = await readPass(device.database, place.sessionId, place.areaId, pass);
  const isMine = (scan: { deviceId: string }) => scan.deviceId === device.deviceId;
  return {
    pass,
    tally: rebuildTally({ ...rows, server: isUsable ? answer.scans.filter(isMine) : null, settledBefore }),
    othersCounted: isUsable && !answer.scans.every(isMine),
  };
}

/** The pass after a finish that did not match: the server's word, or the next number without it. */
export async function learnPassAfterMismatch(place: CountingPlace): Promise<number> {
  const answer = await askServer(place);
  return Math.max(answer?.pass ?? 0, place.pass + 1);
}
