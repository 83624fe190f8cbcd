import type { Randomness } from "../ports.ts";
import { hexadecimal } from "./hexadecimal.ts";
import {
  readSettingIn,
  type SettingsReader,
  type SettingsStore,
  settings,
  writeSettingIn,
} from "./settings.ts";

/** The keys by which the server believes reports, each with its device id (docs/SYNC.md, S46). */
export type DeviceKeys = Readonly<Record<string, string>>;

/** 256 bits, in hexadecimal. */
const keyBytes = 32;

export async function readDeviceKeys(store: SettingsReader): Promise<DeviceKeys> {
  return (await readSettingIn(store, settings.deviceKeys)) ?? {};
}

/** The key of a device id, as what is sent carries it. */
export async function readDeviceKey(
  store: SettingsReader,
  deviceId: string,
): Promise<{ readonly deviceKey?: string }> {
  const deviceKey = (await readDeviceKeys(store))[deviceId];
  return deviceKey === undefined ? {} : { deviceKey };
}

/** Of the same device id the kept key holds: the server may have it already. */
export async function keepDeviceKeys(store: SettingsStore, kept: DeviceKeys, now: string): Promise<void> {
  const stored = await readDeviceKeys(store);
  const isMissing = Object.entries(kept).some(([deviceId, key]) => stored[deviceId] !== key);
  if (isMissing) await writeSettingIn(store, settings.deviceKeys, { ...stored, ...kept }, now);
}

/** Makes the device a key where it has none. */
export async function ensureDeviceKey(
  store: SettingsStore,
  deviceId: string,
  random: Randomness,
  now: string,
): Promise<void> {
  if ((await readDeviceKeys(store))[deviceId] !== undefined) return;
  await keepDeviceKeys(store, { [deviceId]: hexadecimal(random.bytes(keyBytes)) }, now);
}
