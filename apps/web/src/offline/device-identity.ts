import { durable, type StocktakeDatabase } from "./database.ts";
import type { Clock, Randomness } from "./ports.ts";
import { readSettingIn, settings, writeSettingIn } from "./settings.ts";

function hexadecimal(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A random UUID, version 4 (RFC 9562). */
export function createOperationId(random: Randomness): string {
  const bytes = random.bytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = hexadecimal(bytes);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ].join("-");
}

/** The prefix device- plus a timestamp plus random text (specification, section 3). */
export function createDeviceId(clock: Clock, random: Randomness): string {
  return `device-${clock.now()}-${hexadecimal(random.bytes(6))}`;
}

/** This device's id, made once. One transaction reads and writes it, so that two tabs cannot make two. */
export async function ensureDeviceId(
  database: StocktakeDatabase,
  clock: Clock,
  random: Randomness,
): Promise<string> {
  const transaction = database.transaction("settings", "readwrite", durable);
  const present = await readSettingIn(transaction.store, settings.deviceId);
  const deviceId = present ?? createDeviceId(clock, random);
  if (present === null) {
    await writeSettingIn(transaction.store, settings.deviceId, deviceId, new Date(clock.now()).toISOString());
  }
  await transaction.done;
  return deviceId;
}
