import type * as z from "zod/mini";
import type { StocktakeDatabase } from "../database/database.ts";
import { nextNumber } from "../database/numbering.ts";
import { readSettingIn, settings, writeSettingIn } from "../database/settings.ts";

/**
 * What the server is told of this device's queue beside the rows that it is sent: how many of their session remain. Reports are numbered, as
 * an earlier one may arrive later (docs/SYNC.md, S10).
 */
export interface QueueReport {
  readonly pending: number;
  readonly pendingOrder: number;
}

type Reports = z.infer<typeof settings.queueReports.schema>;
type SettingsReader = Parameters<typeof readSettingIn>[0];
type SettingsWriter = SettingsReader & Parameters<typeof writeSettingIn>[0];

async function readReports(store: SettingsReader): Promise<Reports> {
  const reports = await readSettingIn(store, settings.queueReports);
  if (reports !== null) return reports;
  const told = (await readSettingIn(store, settings.reportedPending)) ?? {};
  return { last: 0, owed: Object.fromEntries(Object.keys(told).map((sessionId) => [sessionId, 0])) };
}

/** Changes what is kept of reports; resolves to it as it is then. */
async function change(
  database: StocktakeDatabase,
  now: number,
  next: (before: Reports) => Reports,
): Promise<Reports> {
  const { store, done } = database.transaction("settings", "readwrite");
  const after = next(await readReports(store));
  await writeSettingIn(store, settings.queueReports, after, new Date(now).toISOString());
  await done;
  return after;
}

interface Queue {
  readonly sessionId: string;
  /** Rows of the session that remain. */
  readonly pending: number;
}

/**
 * The report that goes along with what is sent; null where nothing remains and the server knows it. From one that rows remain on, another one
 * is owed, whether the server ever hears the first or not.
 */
export async function beginReport(
  database: StocktakeDatabase,
  queue: Queue,
  now: number,
): Promise<QueueReport | null> {
  if (queue.pending === 0 && !(await owedReports(database)).has(queue.sessionId)) return null;
  const { last } = await change(database, now, (before) => {
    const next = nextNumber(before.last, now);
    const { owed } = before;
    return { last: next, owed: queue.pending === 0 ? owed : { ...owed, [queue.sessionId]: next } };
  });
  return { pending: queue.pending, pendingOrder: last };
}

/** The server has the report. */
export async function endReport(
  database: StocktakeDatabase,
  sessionId: string,
  { pending, pendingOrder }: QueueReport,
  now: number,
): Promise<void> {
  if (pending > 0) return;
  await change(database, now, (before) => {
    const { [sessionId]: owedSince = 0, ...owed } = before.owed;
    // Another tab may have told since that rows remain.
    return owedSince > pendingOrder ? before : { ...before, owed };
  });
}

/** Whatever the server has of these sessions may be of an earlier time: it was restored, or this storage was. */
export async function oweReports(
  store: SettingsWriter,
  sessionIds: ReadonlySet<string>,
  now: string,
): Promise<void> {
  const { last, owed } = await readReports(store);
  const next = nextNumber(last, Date.parse(now));
  const all = [...sessionIds].map((sessionId) => [sessionId, next] as const);
  await writeSettingIn(
    store,
    settings.queueReports,
    { last: next, owed: { ...owed, ...Object.fromEntries(all) } },
    now,
  );
}

/** The number of the last report; 0 before the first. */
export async function lastReport(database: StocktakeDatabase): Promise<number> {
  return (await readReports({ get: (key) => database.get("settings", key) })).last;
}

/** The sessions of which the server may have the number of an earlier queue. */
export async function owedReports(database: StocktakeDatabase): Promise<ReadonlySet<string>> {
  const { owed } = await readReports({ get: (key) => database.get("settings", key) });
  return new Set(Object.keys(owed));
}
