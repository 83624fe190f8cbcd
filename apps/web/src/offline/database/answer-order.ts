import type { StocktakeDatabase } from "./database.ts";
import { nextNumber } from "./numbering.ts";
import {
  readSettingIn,
  type SettingsReader,
  type SettingsStore,
  settings,
  writeSettingIn,
} from "./settings.ts";

/** The number of the last answer; 0 before the first. */
export async function lastAnswerOrder(store: SettingsReader): Promise<number> {
  return (await readSettingIn(store, settings.answerOrder)) ?? 0;
}

/** Storage that was lost has forgotten this number: those of further answers are larger. */
export async function raiseAnswerOrder(store: SettingsStore, number: number, now: string): Promise<void> {
  if (number > (await lastAnswerOrder(store))) await writeSettingIn(store, settings.answerOrder, number, now);
}

/**
 * The number of the next answer that is given on this device of a search: by it the server recognises one that arrives later than what was said
 * after it. It outlives the page.
 */
export async function nextAnswerOrder(database: StocktakeDatabase, now: number): Promise<number> {
  const { store, done } = database.transaction("settings", "readwrite");
  const next = nextNumber(await readSettingIn(store, settings.answerOrder), now);
  await writeSettingIn(store, settings.answerOrder, next, new Date(now).toISOString());
  await done;
  return next;
}
