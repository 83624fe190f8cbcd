import type { AreaScan } from "@stocktake/contract";
import { type CountingDevice, readPass } from "../../../offline/offline.ts";
import { isPassChanging } from "../opening/area-notes.ts";
import type { CountingArea } from "../opening/counting-area.ts";
import { type CountingServer, isServerFailure } from "../opening/counting-server.ts";
import { rebuildTally, type Tally } from "./tally.ts";

/** Where the state of an area is read. */
interface AreaSources {
  readonly device: CountingDevice;
  readonly server: Pick<CountingServer, "readAreaScans">;
}

type AreaAnswer = { readonly scans: readonly AreaScan[]; readonly pass: number } | null;

async function askServer({ server }: Pick<AreaSources, "server">, area: CountingArea): Promise<AreaAnswer> {
  try {
    return await server.readAreaScans(area);
  } catch (error) {
    // Without the server the device's own rows are what there is; a refusal shows in the next answer to a scan.
    if (isServerFailure(error)) return null;
    throw error;
  }
}

/** The area's current pass, as far as this device can tell. */
export interface AreaState {
  readonly pass: number;
  readonly tally: Tally;
  readonly othersCounted: boolean;
}

async function isOverruled(device: CountingDevice, area: CountingArea, answer: AreaAnswer): Promise<boolean> {
  if (answer === null || answer.pass === area.pass) return false;
  // A reset or finish of this device's own that is still on its way explains the difference.
  return answer.pass < area.pass || (await isPassChanging(device.database, area.sessionId, area.areaId));
}

/** Asks the server for the pass and its scans, and combines them with this device's rows. */
export async function loadAreaState(sources: AreaSources, area: CountingArea): Promise<AreaState> {
  const { device } = sources;
  const before = await readPass(device.database, area.sessionId, area.areaId, area.pass);
  const settledBefore = new Set(before.scans.filter((scan) => scan.synced).map((scan) => scan.id));
  const answer = await askServer(sources, area);
  const isUsable = answer !== null && !(await isOverruled(device, area, answer));
  const pass = isUsable ? answer.pass : area.pass;
  const rows = await readPass(device.database, area.sessionId, area.areaId, pass);
  const isMine = (scan: { deviceId: string }) => scan.deviceId === device.deviceId;
  return {
    pass,
    tally: rebuildTally({ ...rows, server: isUsable ? answer.scans.filter(isMine) : null, settledBefore }),
    othersCounted: isUsable && !answer.scans.every(isMine),
  };
}

/** The pass after a finish that did not match: the server's, or the next number without it. */
export async function passAfterMismatch(sources: AreaSources, area: CountingArea): Promise<number> {
  const answer = await askServer(sources, area);
  return Math.max(answer?.pass ?? 0, area.pass + 1);
}
