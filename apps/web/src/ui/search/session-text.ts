import type { CountingSession } from "@stocktake/contract";
import { dateTimeText } from "../formats.ts";

/** A count by its store and, where people gave it one, its name. */
export function countName(store: string, name: CountingSession["name"]): string {
  return name === undefined || name === null ? store : `${store} – ${name}`;
}

/** What a session is found by: its store, its name and note, and its dates, as they are shown. */
export function sessionText({ storeId, name, note, startedAt, endedAt }: CountingSession): string {
  return `${countName(storeId.name, name)} ${note ?? ""} ${dateTimeText(startedAt)} ${dateTimeText(endedAt)}`;
}
