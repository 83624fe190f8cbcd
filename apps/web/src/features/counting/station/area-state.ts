import type { AreaDevice, AreaScan, UnresolvedScan } from "@stocktake/contract";
import { ApiError } from "../../../http/errors.ts";
import { type CountingDevice, isUnheardTag, readPass, unitsOf } from "../../../offline/offline.ts";
import { isPassChanging, readAreaNotes } from "../opening/area-notes.ts";
import type { CountingArea } from "../opening/counting-area.ts";
import { type CountingServer, isServerFailure } from "../opening/counting-server.ts";
import { rebuildTally, rebuildUnknown, type Tally } from "./tally.ts";

/** Where the state of an area is read. */
interface AreaSources {
  readonly device: CountingDevice;
  readonly server: Pick<CountingServer, "readAreaScans" | "readAreas">;
  readonly username: string;
}

type AreaAnswer = {
  readonly scans: readonly AreaScan[];
  readonly unresolved?: readonly UnresolvedScan[] | undefined;
  readonly devices?: readonly AreaDevice[] | undefined;
  readonly pass: number;
  readonly restored?: boolean | undefined;
} | null;

interface Asked {
  readonly answer: AreaAnswer;
  /** Why this person may not open the area, in the server's words. */
  readonly assignedToOthers: string | null;
}

async function askServer({ server }: Pick<AreaSources, "server">, area: CountingArea): Promise<Asked> {
  try {
    return { answer: await server.readAreaScans(area), assignedToOthers: null };
  } catch (error) {
    // Without the server the device's own rows are what there is; any other refusal shows in the next answer to a scan.
    if (!isServerFailure(error)) throw error;
    const isOthers = error instanceof ApiError && error.code === "AREA_ASSIGNED";
    return { answer: null, assignedToOthers: isOthers ? error.message : null };
  }
}

/** The area's current pass, as far as this device can tell. */
export interface AreaState {
  readonly pass: number;
  /** By the server's word the pass is an earlier count that was restored. */
  readonly isRestored: boolean;
  readonly tally: Tally;
  /** This device's scans of the pass that were set aside as unknown. */
  readonly unknown: Tally;
  /** The rows of this device's reads of RFID tags of which the server has not said yet whether they count. */
  readonly unheardTags: ReadonlySet<number>;
  readonly elsewhere: Elsewhere | null;
  readonly assignedToOthers: string | null;
}

/** What the server has in the pass beyond this device's own scans; null without its answer. */
export interface Elsewhere {
  /** Units of the pass that an administrator accepted, this device's own among them. */
  readonly accepted: number;
  /** Those of them that this device scanned. */
  readonly acceptedHere: number;
  /**
   * Other devices count in the pass: what this one shows is not the area's total. So does one whose scans are all unresolved so far;
   * not one of which only those count that an administrator accepted.
   */
  readonly othersCounted: boolean;
  /** Counted and unknown units of other devices. */
  readonly counted: number;
  readonly unknown: number;
  /** The other devices that counted in the pass. */
  readonly devices: readonly AreaDevice[];
  /** Who else counted in the pass with this device, by name. */
  readonly sharedWith: readonly string[];
}

/** How many units from elsewhere Items Scanned includes: those accepted, where this device alone counts in the pass. */
export function countedFromElsewhere(elsewhere: Elsewhere | null): number {
  return elsewhere === null || elsewhere.othersCounted ? 0 : elsewhere.counted;
}

/** How many of the units in Items Scanned an administrator accepted. */
export function acceptedAmongItems(elsewhere: Elsewhere | null): number {
  return (elsewhere?.acceptedHere ?? 0) + countedFromElsewhere(elsewhere);
}

type IsMine = (scan: { readonly deviceId: string }) => boolean;

function elsewhereOf(
  { scans, unresolved = [], devices = [] }: NonNullable<AreaAnswer>,
  isMine: IsMine,
  username: string,
): Elsewhere {
  const others = scans.filter((scan) => !isMine(scan));
  const unknown = unitsOf(unresolved.filter((scan) => !isMine(scan)));
  const accepted = scans.filter((scan) => scan.accepted === true);
  return {
    accepted: unitsOf(accepted),
    acceptedHere: unitsOf(accepted.filter(isMine)),
    othersCounted: unknown > 0 || others.some((scan) => scan.accepted !== true),
    counted: unitsOf(others),
    unknown,
    devices: devices.filter((device) => !isMine(device)),
    sharedWith: devices
      .filter(isMine)
      .flatMap(({ usernames }) => usernames.filter((name) => name !== username)),
  };
}

async function isOverruled(sources: AreaSources, area: CountingArea, answer: AreaAnswer): Promise<boolean> {
  if (answer === null || answer.pass === area.pass) return false;
  // A reset or finish of this device's own that is still on its way explains the difference.
  if (await isPassChanging(sources.device.database, area.sessionId, area.areaId)) return true;
  return answer.pass < area.pass && !(await isLost(sources, area, answer.pass));
}

/**
 * Whether the server has gone back behind the pass that is counted here, as one that was restored from a backup does. Not where its answer
 * is from before what this device itself has done there, nor where it has ended that count, and the area is closed in an earlier one.
 */
async function isLost({ device, server }: AreaSources, area: CountingArea, pass: number): Promise<boolean> {
  const note = (await readAreaNotes(device.database, area.sessionId)).get(area.areaId);
  if (note !== undefined && note.knownPass > pass) return false;
  const areas = await server.readAreas(area.locationId);
  const listed = areas?.from === "server" ? areas.value.find(({ _id }) => _id === area.areaId) : undefined;
  return listed?.pass === pass && listed.status !== "closed";
}

/** Asks the server for the pass and its scans, and combines them with this device's rows. */
export async function loadAreaState(sources: AreaSources, area: CountingArea): Promise<AreaState> {
  const { device } = sources;
  const before = await readPass(device.database, area.sessionId, area.areaId, area.pass);
  const settledBefore = new Set(before.scans.filter((scan) => scan.synced).map((scan) => scan.id));
  const { answer, assignedToOthers } = await askServer(sources, area);
  const used = (await isOverruled(sources, area, answer)) ? null : answer;
  const pass = used?.pass ?? area.pass;
  const rows = await readPass(device.database, area.sessionId, area.areaId, pass);
  const isMine: IsMine = (scan) => scan.deviceId === device.deviceId;
  const known = { ...rows, settledBefore };
  return {
    pass,
    isRestored: used?.restored === true,
    tally: rebuildTally({ ...known, server: used?.scans.filter(isMine) ?? null }),
    unknown: rebuildUnknown({ ...known, server: used?.unresolved?.filter(isMine) ?? null }),
    unheardTags: new Set(rows.scans.filter(isUnheardTag).map(({ id }) => id)),
    elsewhere: used === null ? null : elsewhereOf(used, isMine, sources.username),
    assignedToOthers,
  };
}

/** The pass after a finish that did not match: the server's, or the next number without it. */
export async function passAfterMismatch(sources: AreaSources, area: CountingArea): Promise<number> {
  const { answer } = await askServer(sources, area);
  return Math.max(answer?.pass ?? 0, area.pass + 1);
}
