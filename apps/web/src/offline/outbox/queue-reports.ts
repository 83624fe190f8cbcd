import type * as z from "zod/mini";
import type { StocktakeDatabase } from "../database/database.ts";
import { readDeviceKey } from "../database/device-keys.ts";
import { nextNumber } from "../database/numbering.ts";
import {
  readSettingIn,
  type SettingsReader,
  type SettingsStore,
  settings,
  settingsOf,
  writeSettingIn,
} from "../database/settings.ts";
import type { Clock } from "../ports.ts";
import type { OutboxBus } from "./events.ts";

/**
 * What the server is told of this device's queue beside the rows that it is sent: how many of their session remain. Reports are numbered, as
 * an earlier one may arrive later (docs/SYNC.md, S10).
 */
export interface QueueReport {
  readonly pending: number;
  readonly pendingOrder: number;
  /** Shows that it is the device's own word. Absent of an id without a key. */
  readonly deviceKey?: string;
}

type Reports = z.infer<typeof settings.queueReports.schema>;

/** Whose rows a report counts: rescued rows keep the device id that they were made under, and the server keeps each number by both. */
export interface Holder {
  readonly sessionId: string;
  readonly deviceId: string;
}

export const isHeldBy = (holder: Holder) => (row: Holder) =>
  row.sessionId === holder.sessionId && row.deviceId === holder.deviceId;

/** How many rows of a session and device id only this device has: what is to be sent, and what a restored server refused. */
export function countHeld(
  { scans, operations, refused }: Record<"scans" | "operations" | "refused", readonly Holder[]>,
  holder: Holder,
): number {
  return [...scans, ...operations, ...refused].filter(isHeldBy(holder)).length;
}

/** What is owed by this page's own record, and what a page of an earlier release in another tab has written beside it since. */
async function readReports(store: SettingsReader): Promise<Reports> {
  const { last, owed } = await readNumbered(store);
  const withKey = (await readSettingIn(store, settings.owedReports)) ?? [];
  return { last, owed: withKey.reduce((debts, debt) => owing(debts, debt, latest(debts, debt)), owed) };
}

const latest = (debts: Reports["owed"], debt: Reports["owed"][number]) =>
  Math.max(debt.since, ...debts.filter(isHeldBy(debt)).map(({ since }) => since));

async function writeReports(store: SettingsStore, reports: Reports, now: string): Promise<void> {
  await writeSettingIn(store, settings.queueReports, reports, now);
  await writeSettingIn(store, settings.owedReports, reports.owed, now);
}

async function readNumbered(store: SettingsReader): Promise<Reports> {
  const reports = await readSettingIn(store, settings.queueReports);
  if (reports !== null) return reports;
  const told = (await readSettingIn(store, settings.reportedPending)) ?? {};
  const deviceId = (await readSettingIn(store, settings.deviceId)) ?? "";
  return { last: 0, owed: Object.keys(told).map((sessionId) => ({ sessionId, deviceId, since: 0 })) };
}

/** Changes what is kept of reports; resolves to it as it is then. */
async function change(
  database: StocktakeDatabase,
  now: number,
  next: (before: Reports) => Reports,
): Promise<Reports> {
  const { store, done } = database.transaction("settings", "readwrite");
  const after = next(await readReports(store));
  await writeReports(store, after, new Date(now).toISOString());
  await done;
  return after;
}

interface Queue extends Holder {
  /** Rows of the session under the device id that remain. */
  readonly pending: number;
}

function owing(owed: Reports["owed"], { sessionId, deviceId }: Holder, since: number): Reports["owed"] {
  const isOwed = isHeldBy({ sessionId, deviceId });
  return [...owed.filter((debt) => !isOwed(debt)), { sessionId, deviceId, since }];
}

/**
 * The report that goes along with what is sent; null where nothing remains and the server has heard it. From one that rows remain on, another one
 * is owed, whether the server ever hears the first or not.
 */
export async function beginReport(
  database: StocktakeDatabase,
  queue: Queue,
  now: number,
): Promise<QueueReport | null> {
  if (queue.pending === 0 && !(await owedReports(database)).some(isHeldBy(queue))) return null;
  const { last } = await change(database, now, (before) => {
    const next = nextNumber(before.last, now);
    const { owed } = before;
    return { last: next, owed: queue.pending === 0 ? owed : owing(owed, queue, next) };
  });
  return {
    pending: queue.pending,
    pendingOrder: last,
    ...(await readDeviceKey(settingsOf(database), queue.deviceId)),
  };
}

interface ReportPorts {
  readonly database: StocktakeDatabase;
  readonly clock: Pick<Clock, "now">;
  readonly bus: OutboxBus;
}

/** Begins a report, and tells the page its number: where the storage is lost, numbers go on from that. */
export async function openReport(
  { database, clock, bus }: ReportPorts,
  queue: Queue,
): Promise<QueueReport | null> {
  const report = await beginReport(database, queue, clock.now());
  if (report !== null) bus.publish({ type: "reported", number: report.pendingOrder });
  return report;
}

/**
 * The report of a device that opens an area. Until the server has it, the device owes it, so that what it sends next tells it. Its rows are counted
 * once it has its number: a report with a higher one was counted later, or goes along with rows that are being sent.
 */
export async function claimOpeningReport(
  { database, clock, bus }: ReportPorts,
  holder: Holder,
  countRows: () => Promise<number>,
): Promise<QueueReport> {
  const { last } = await change(database, clock.now(), (before) => {
    const next = nextNumber(before.last, clock.now());
    return { last: next, owed: owing(before.owed, holder, next) };
  });
  bus.publish({ type: "reported", number: last });
  return {
    pending: await countRows(),
    pendingOrder: last,
    ...(await readDeviceKey(settingsOf(database), holder.deviceId)),
  };
}

/** The server has the report. */
export async function endReport(
  database: StocktakeDatabase,
  holder: Holder,
  { pending, pendingOrder }: QueueReport,
  now: number,
): Promise<void> {
  if (pending > 0) return;
  const isOfHolder = isHeldBy(holder);
  await change(database, now, ({ last, owed }) => ({
    last,
    // Another tab may have told since that rows remain.
    owed: owed.filter((debt) => !isOfHolder(debt) || debt.since > pendingOrder),
  }));
}

/** Storage that was lost has forgotten this number: those of further reports are larger. */
export async function raiseReports(store: SettingsStore, number: number, now: string): Promise<void> {
  const { last, owed } = await readReports(store);
  if (number > last) await writeReports(store, { last: number, owed }, now);
}

/** Whatever the server has of these rows' queues may be of an earlier time: it was restored, or this storage was. */
export async function oweReports(store: SettingsStore, rows: readonly Holder[], now: string): Promise<void> {
  if (rows.length === 0) return;
  const { last, owed } = await readReports(store);
  const next = nextNumber(last, Date.parse(now));
  const all = rows.reduce((debts, row) => owing(debts, row, next), owed);
  await writeReports(store, { last: next, owed: all }, now);
}

/** The number of the last report; 0 before the first. */
export async function lastReport(database: StocktakeDatabase): Promise<number> {
  return (await readReports(settingsOf(database))).last;
}

/** The queues of which the server may have the number of an earlier time. */
export async function owedReports(database: StocktakeDatabase): Promise<readonly Holder[]> {
  return (await readReports(settingsOf(database))).owed;
}
