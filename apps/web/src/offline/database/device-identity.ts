import { limits } from "@stocktake/contract";
import type { Clock, Randomness } from "../ports.ts";
import { durable, type StocktakeDatabase } from "./database.ts";
import { type DeviceKeys, ensureDeviceKey, keepDeviceKeys } from "./device-keys.ts";
import { hexadecimal } from "./hexadecimal.ts";
import type { ScanRecord } from "./records.ts";
import { readSettingIn, settings, writeSettingIn } from "./settings.ts";

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

function openIdentity(database: StocktakeDatabase) {
  return database.transaction(["settings", "pendingScans", "pendingSubmissions"], "readwrite", durable);
}

type IdentityTransaction = ReturnType<typeof openIdentity>;

/** Renumbers the rows of both stores from 1, in their order; returns the last number. */
async function renumberRows(transaction: IdentityTransaction, deviceId: string): Promise<number> {
  const scans = transaction.objectStore("pendingScans");
  const operations = transaction.objectStore("pendingSubmissions");
  const rows = [
    ...(await scans.getAll()).map((row) => ({
      position: row.order,
      write: (order: number) =>
        scans.put({ ...row, order, ...(hasUnsendableNumber(row) ? sendable(deviceId, order) : {}) }),
    })),
    ...(await operations.getAll()).map((row) => ({
      position: row.order,
      write: (order: number) => operations.put({ ...row, order }),
    })),
  ].sort((left, right) => left.position - right.position);
  for (const [index, row] of rows.entries()) await row.write(index + 1);
  return rows.length;
}

/** The server accepts no such number, so it cannot have stored the scan under it. A scan that was undone stays as it is. */
const hasUnsendableNumber = ({ seq, undone }: ScanRecord) => seq > Number.MAX_SAFE_INTEGER && !undone;

const sendable = (deviceId: string, seq: number) => ({ deviceId, seq, refusal: null });

async function isSequenceExhausted(transaction: IdentityTransaction): Promise<boolean> {
  const row = await transaction.objectStore("settings").get(settings.sequence.key);
  return typeof row?.value === "number" && row.value > limits.runningSequence;
}

/**
 * This device's id, created once, and again when its numbers run out (docs/SYNC.md, S3), with its key. One transaction reads and writes
 * both, so that two tabs cannot create two. `keptKeys` are those that the page still had when its storage was lost.
 */
export async function ensureDeviceId(
  database: StocktakeDatabase,
  clock: Clock,
  random: Randomness,
  keptKeys: DeviceKeys = {},
): Promise<string> {
  const transaction = openIdentity(database);
  const store = transaction.objectStore("settings");
  const existing = await readSettingIn(store, settings.deviceId);
  const isExhausted = await isSequenceExhausted(transaction);
  const deviceId = isExhausted || existing === null ? createDeviceId(clock, random) : existing;
  const now = new Date(clock.now()).toISOString();
  if (deviceId !== existing) await writeSettingIn(store, settings.deviceId, deviceId, now);
  if (isExhausted)
    await writeSettingIn(store, settings.sequence, await renumberRows(transaction, deviceId), now);
  await keepDeviceKeys(store, keptKeys, now);
  await ensureDeviceKey(store, deviceId, random, now);
  await transaction.done;
  return deviceId;
}
