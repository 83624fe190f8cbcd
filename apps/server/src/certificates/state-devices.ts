import type { CallRequest, stateDevices } from "@stocktake/contract";
import { sql } from "kysely";
import { actorOf, type NewAuditEntry, recordAudits, sessionSubject } from "../audit/audit.ts";
import type { Transaction } from "../database/pool.ts";
import { ApiError, invalidField } from "../kernel/api-error.ts";
import type { AdminCaller } from "../kernel/caller.ts";
import { findSession, lockSession } from "../sessions/sessions.ts";
import { type CoveredDeviceRow, readCoveredDevices, scansOf } from "./device-queries.ts";
import type { CertificateServices } from "./services.ts";

type Given = CallRequest<typeof stateDevices>["body"];

/**
 * Accounts for devices of whose queue nothing certain is known, or takes that back. One that is known to hold nothing needs no word, and
 * what is so already stays as it is. A scan that a device sends since, or its word that it holds rows, contradicts what was said.
 * @throws ApiError NOT_FOUND, VALIDATION for a device that is not of the session, DEVICE_HOLDS_ROWS: then none of the devices is changed.
 */
export async function stateOfDevices(
  { database, events }: CertificateServices,
  caller: AdminCaller,
  sessionId: string,
  { deviceIds, stated, reason }: Given,
): Promise<{ changed: number }> {
  const ids = [...new Set(deviceIds)];
  const changed = await database.transaction().execute(async (transaction) => {
    await findSession(transaction, caller, sessionId);
    await lockSession(transaction, sessionId);
    const devices = await readCoveredDevices(transaction, sessionId, { which: "all", ids });
    if (devices.length < ids.length)
      throw invalidField("deviceIds", "One of these devices is not of this session.");
    const saying = { transaction, caller, sessionId };
    const entries = stated ? await state(saying, devices, reason ?? "") : await takeBack(saying, devices);
    await recordAudits(transaction, sessionId, entries);
    return entries.length;
  });
  if (changed > 0) events.publish({ type: "adjustment", sessionId });
  return { changed };
}

interface Saying {
  readonly transaction: Transaction;
  readonly caller: AdminCaller;
  readonly sessionId: string;
}

type Entries = readonly Omit<NewAuditEntry, "sessionId">[];

async function state(
  { transaction, caller, sessionId }: Saying,
  devices: readonly CoveredDeviceRow[],
  reason: string,
): Promise<Entries> {
  for (const device of devices) requireNotHolding(device);
  const unsaid = devices.filter((device) => device.state !== "empty" && !device.holds);
  if (unsaid.length === 0) return [];
  await remove(transaction, sessionId, unsaid);
  await transaction
    .insertInto("deviceStatements")
    .values(
      unsaid.map(({ device: deviceId }) => ({
        ...{ sessionId, deviceId, reason, statedBy: caller.userId },
        scans: scansOf(sessionId, sql`${deviceId}::text`),
      })),
    )
    .execute();
  const subject = await sessionSubject(transaction, sessionId);
  return unsaid.map(({ device, person, state: known }) => ({
    ...{ actor: actorOf(caller), action: "coverage.device_stated" as const, subject },
    ...{ before: null, after: { device, person, known, reason } },
  }));
}

async function takeBack(
  { transaction, caller, sessionId }: Saying,
  devices: readonly CoveredDeviceRow[],
): Promise<Entries> {
  const said = devices.filter(({ reason }) => reason !== null);
  if (said.length === 0) return [];
  await remove(transaction, sessionId, said);
  const subject = await sessionSubject(transaction, sessionId);
  return said.map(({ device, person, reason }) => ({
    ...{ actor: actorOf(caller), action: "coverage.device_taken_back" as const, subject },
    ...{ before: { device, person, reason }, after: null },
  }));
}

async function remove(
  transaction: Transaction,
  sessionId: string,
  devices: readonly CoveredDeviceRow[],
): Promise<void> {
  await transaction
    .deleteFrom("deviceStatements")
    .where("sessionId", "=", sessionId)
    .where(
      "deviceId",
      "in",
      devices.map(({ device }) => device),
    )
    .execute();
}

function requireNotHolding({ person, state, pending }: CoveredDeviceRow): void {
  if (state !== "holds") return;
  const rows = pending === 1 ? "1 row" : `${(pending ?? 0).toLocaleString("en")} rows`;
  throw new ApiError(
    "DEVICE_HOLDS_ROWS",
    `A device of ${person} said last that it holds ${rows}, so it can't be accounted for. Nothing was changed. Open Stocktake on it with a connection until everything is sent, or import its saved queue.`,
  );
}
