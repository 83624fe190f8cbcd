import * as z from "zod/mini";
import type { StocktakeDatabase, StocktakeSchema } from "./database.ts";

type SettingRow = StocktakeSchema["settings"]["value"];

/** A named value of the `settings` store and what it may hold. */
export interface Setting<Value> {
  readonly key: string;
  readonly schema: z.ZodMiniType<Value>;
}

/** The `settings` store of a transaction, to read; or `settingsOf` a database. */
export interface SettingsReader {
  get(key: string): Promise<SettingRow | undefined>;
}

interface SettingsWriter {
  put(row: SettingRow): Promise<string>;
}

/** The `settings` store of a transaction that may write it. */
export type SettingsStore = SettingsReader & SettingsWriter;

/** The settings as they are, each read in a transaction of its own. */
export function settingsOf(database: StocktakeDatabase): SettingsReader {
  return { get: (key) => database.get("settings", key) };
}

/** Of which sessions, under which device ids, a report is owed since which one. */
const OwedReports = z.array(z.object({ sessionId: z.string(), deviceId: z.string(), since: z.int() }));

export const settings = {
  deviceId: { key: "deviceId", schema: z.string() },
  /** The key of each device id that this device has or had: rows that were rescued or are of before a renewal keep the id that they were made under. */
  deviceKeys: { key: "deviceKeys", schema: z.record(z.string(), z.string()) },
  /** The last number given to a row of either outbox store. */
  sequence: { key: "sequence", schema: z.int() },
  audio: {
    key: "audioSettings",
    schema: z.object({ enabled: z.boolean(), volume: z.number() }),
  },
  /** Which repeats within 1000 ms are ignored: any scan, or only the same code. */
  debounce: { key: "scanDebounce", schema: z.enum(["any", "same_code"]) },
  clockOffset: { key: "serverClockOffset", schema: z.object({ low: z.number(), high: z.number() }) },
  /** The life of the installation that has acknowledged what is acknowledged here. */
  serverEpoch: { key: "serverEpoch", schema: z.string() },
  /** Until a person has seen it: the server was restored, and so many rows are sent again. */
  restored: { key: "serverRestored", schema: z.object({ at: z.string(), rows: z.int() }) },
  /** Of earlier releases: for each session, the pending count last reported to the server, where it is not 0. */
  reportedPending: { key: "reportedPending", schema: z.record(z.string(), z.int()) },
  /** The number of the last report about the queue, and of the last that told of a session and a device id that rows remain. */
  queueReports: {
    key: "queueReports",
    schema: z.object({ last: z.int(), owed: OwedReports }),
  },
  /**
   * The queues that are owed a report with a key. A page of an earlier release, open in another tab, ends what is owed in `queueReports` by a report
   * without one, which the server does not believe.
   */
  owedReports: { key: "owedReports", schema: OwedReports },
  /** The finishes of this device whose outcome is still to be told: of areas that were left before it was known. */
  unacknowledgedFinishes: { key: "untoldFinishes", schema: z.array(z.int()) },
  /** The number of the last answer that was given here of a search. */
  answerOrder: { key: "answerOrder", schema: z.int() },
} satisfies Record<string, Setting<unknown>>;

/** Reads a setting inside a transaction; null where it is absent or not what this version of the page writes. */
export async function readSettingIn<Value>(
  store: SettingsReader,
  setting: Setting<Value>,
): Promise<Value | null> {
  const row = await store.get(setting.key);
  if (row === undefined) return null;
  const parsed = z.safeParse(setting.schema, row.value);
  return parsed.success ? parsed.data : null;
}

/** Writes a setting inside a transaction. */
export async function writeSettingIn<Value>(
  store: SettingsWriter,
  setting: Setting<Value>,
  value: Value,
  updatedAt: string,
): Promise<void> {
  await store.put({ key: setting.key, value, updatedAt });
}

export function readSetting<Value>(
  database: StocktakeDatabase,
  setting: Setting<Value>,
): Promise<Value | null> {
  return readSettingIn(settingsOf(database), setting);
}

export function writeSetting<Value>(
  database: StocktakeDatabase,
  setting: Setting<Value>,
  value: Value,
  updatedAt: string,
): Promise<void> {
  return writeSettingIn({ put: (row) => database.put("settings", row) }, setting, value, updatedAt);
}

export async function deleteSetting(database: StocktakeDatabase, key: string): Promise<void> {
  await database.delete("settings", key);
}
