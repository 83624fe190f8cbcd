import { fileDevice, isOfPaper, sheetOfDevice } from "@stocktake/contract";

/** Texts of times, durations and quantities, in the browser's locale and zone. */

/** Stands where there is nothing to show, or nobody knows it. */
export const noneText = "–";

// Made once: a long table or a row's drawer asks for hundreds of texts, and making one of these takes longer than using it.
const dateTimeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const secondsFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const quantityFormat = new Intl.NumberFormat();
const signedFormat = new Intl.NumberFormat(undefined, { signDisplay: "exceptZero" });

export function dateTimeText(time: string | null): string {
  return time === null ? noneText : dateTimeFormat.format(new Date(time));
}

/** The time of day alone. */
export function timeText(time: string): string {
  return new Intl.DateTimeFormat(undefined, { timeStyle: "short" }).format(new Date(time));
}

/**
 * The zone that times are told in, with its offset at each of these, in their order: "Europe/Berlin (GMT+1)", or with a clock changed between
 * two of them "Europe/Berlin (GMT+2, later GMT+1)".
 */
export function zoneText(...times: readonly string[]): string {
  const format = new Intl.DateTimeFormat(undefined, { timeZoneName: "short" });
  const { timeZone } = format.resolvedOptions();
  const offsets = times.flatMap((time) =>
    format
      .formatToParts(new Date(time))
      .flatMap(({ type, value }) => (type === "timeZoneName" && value !== timeZone ? [value] : [])),
  );
  const changes = offsets.filter((offset, index) => offset !== offsets[index - 1]);
  return changes.length === 0 ? timeZone : `${timeZone} (${changes.join(", later ")})`;
}

/** With seconds, for records whose order matters. */
export function secondsText(time: string): string {
  return secondsFormat.format(new Date(time));
}

export function dateText(time: string | null): string {
  if (time === null) return noneText;
  return new Intl.DateTimeFormat(undefined, { dateStyle: "medium" }).format(new Date(time));
}

/** The day in the browser's zone as names of files have it, in the order of days: "2026-03-01". */
export function dayText(time: string): string {
  const date = new Date(time);
  const twoDigits = (part: number) => String(part).padStart(2, "0");
  return [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join("-");
}

export function longDateText(time: Date): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: "full" }).format(time);
}

/** Whole minutes between two times (ISO, or milliseconds since the epoch), never below 0. */
export function minutesBetween(start: string, end: number): number {
  return Math.max(0, Math.floor((end - new Date(start).getTime()) / 60_000));
}

/** The hour that begins at a time, with its weekday: "Mon, 2 PM"; "Mon, 2:30 PM" where the server's hours begin at another minute. */
export function hourText(time: string): string {
  const start = new Date(time);
  const minute = start.getMinutes() === 0 ? {} : ({ minute: "2-digit" } as const);
  return new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "numeric", ...minute }).format(start);
}

/** "Mia", "Mia and Tom", "Mia, Tom, and Ana"; "" for nobody. */
export function namesText(names: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "conjunction" }).format(names);
}

/** An area by its code and name; by its code alone where nobody has named it. */
export function areaText(code: string, name: string, dash: "–" | "-" = "–"): string {
  return code === name ? code : `${code} ${dash} ${name}`;
}

const minuteSeconds = 60;
const hourSeconds = 3_600;
const daySeconds = 86_400;

/** How long before `now` (milliseconds since the epoch) a time was, in its largest whole unit: "now", "5 minutes ago". */
export function agoText(time: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - new Date(time).getTime()) / 1_000));
  const format = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
  if (seconds < minuteSeconds) return format.format(0, "second");
  if (seconds < hourSeconds) return format.format(-Math.floor(seconds / minuteSeconds), "minute");
  if (seconds < daySeconds) return format.format(-Math.floor(seconds / hourSeconds), "hour");
  return format.format(-Math.floor(seconds / daySeconds), "day");
}

/** A quantity with its sign: +3, −3, 0. */
export function signedText(value: number): string {
  return signedFormat.format(value);
}

export function quantityText(value: number): string {
  return quantityFormat.format(value);
}

/** A dash where it is not known. */
export function knownQuantityText(value: number | null): string {
  return value === null ? noneText : quantityText(value);
}

/** "×12" of a scan that counts several units; empty of one that counts one, or names no number. */
export function timesText(quantity = 1): string {
  return quantity === 1 ? "" : `×${quantityText(quantity)}`;
}

/** The colour of a variance: above 0 green, below 0 red, 0 and unknown as the text around it. */
export function varianceColor(value: number | null): string | undefined {
  if (value === null || value === 0) return undefined;
  return value > 0 ? "var(--stocktake-positive)" : "var(--stocktake-negative)";
}

/** "Linen Shirt · M": the parts that there are, in one line. */
export function partsText(...parts: readonly (string | null)[]): string {
  return parts.filter(Boolean).join(" · ");
}

const shownOfDevice = 6;

/** A device as people tell it from others: the end of its id, and a file or a sheet by its name. */
export function deviceText(deviceId: string): string {
  if (deviceId === fileDevice) return "file of counts";
  const sheet = sheetOfDevice(deviceId);
  return sheet === null ? `…${deviceId.slice(-shownOfDevice)}` : `count sheet ${sheet}`;
}

/** Where somebody counted: "on device …4f2a91", "on count sheet 2". */
export function onDeviceText(deviceId: string): string {
  if (deviceId === fileDevice) return `in a ${deviceText(deviceId)}`;
  return `on ${isOfPaper({ deviceId }) ? "" : "device "}${deviceText(deviceId)}`;
}

/** "1 area", "2 areas". */
export function countText(count: number, one: string, many: string): string {
  return `${quantityText(count)} ${count === 1 ? one : many}`;
}
