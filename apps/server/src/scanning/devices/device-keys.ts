import { createHash, timingSafeEqual } from "node:crypto";
import type { Database } from "../../database/pool.ts";
import { type ReportedDevice, readKeys, setKeys } from "./device-key-queries.ts";

/** Who tells it, and the key that comes with it. */
export interface Teller {
  readonly userId: string;
  readonly deviceKey: string | null;
}

/** The key is random (docs/SYNC.md, S46), so a plain hash of it is safe to store. */
const hashOf = (key: string) => createHash("sha256").update(key).digest();

/** Of a device that has a key, by that key alone; of one without, as ever. Both are hashes, of the device's own and of what was shown. */
function isOwnKey(own: Buffer | undefined, shown: Buffer | null): boolean {
  return own === undefined || (shown !== null && timingSafeEqual(own, shown));
}

/**
 * Finds out of which devices a report is believed: of one that has a key, by that key alone; of one without, as ever. The first key that comes of a
 * device is set by that, where it comes from whoever was heard from it first. The caller may send to the session of each.
 */
export async function findBelieved<Device extends ReportedDevice>(
  database: Database,
  { userId, deviceKey }: Teller,
  devices: readonly Device[],
): Promise<(device: Device) => boolean> {
  const hash = deviceKey === null ? null : hashOf(deviceKey);
  const ids = [...new Set(devices.map(({ deviceId }) => deviceId))];
  let known = await readKeys(database, ids);
  const keyless = devices.filter(({ deviceId }) => !known.has(deviceId));
  if (hash !== null && keyless.length > 0) {
    await setKeys(database, { userId, hash }, keyless);
    // Read again, as another call may have been quicker.
    known = await readKeys(database, ids);
  }
  return ({ deviceId }) => isOwnKey(known.get(deviceId), hash);
}

/** Whether a report of one device is believed; see `findBelieved`. */
export async function isBelieved(
  database: Database,
  teller: Teller,
  device: ReportedDevice,
): Promise<boolean> {
  const believes = await findBelieved(database, teller, [device]);
  return believes(device);
}

/** Whether what comes with this key, or without one, may be the device's own: of one whose key is known, by that alone; of any other, as ever. */
export async function mayBeOf(
  database: Database,
  deviceId: string,
  deviceKey: string | undefined,
): Promise<boolean> {
  const known = await readKeys(database, [deviceId]);
  return isOwnKey(known.get(deviceId), deviceKey === undefined ? null : hashOf(deviceKey));
}
