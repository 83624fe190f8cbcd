import type { StocktakeDatabase } from "./database.ts";
import { nextNumber } from "./numbering.ts";
import { readSettingIn, settings, writeSettingIn } from "./settings.ts";

/**
 * The number of the next answer that is given on this device of a search: by it the server knows one that arrives later than what was said
 * after it. It outlives the page.
 */
export async function nextAnswerOrder(database: StocktakeDatabase, now: number): Promise<number> {
  const { store, done } = database.transaction("settings", "readwrite");
  const next = nextNumber(await readSettingIn(store, settings.answerOrder), now);
  await writeSettingIn(store, settings.answerOrder, next, new Date(now).toISOString());
  await done;
  return next;
}
