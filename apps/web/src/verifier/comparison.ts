import type { Verdict } from "./verify.ts";

/** The report shows the first twelve characters of a hash on the screen; fewer than eight may begin several by chance. */
const fewestCharacters = 8;
const hashDigits = 64;

/** A number as it is written in English. */
export function number(value: number): string {
  return value.toLocaleString("en-US");
}

/** "Nov 23, 2026, 23:33 UTC", whatever the zone of this machine is; what is no time as it is. */
export function timeText(value: unknown): string {
  const time = new Date(typeof value === "string" ? value : Number.NaN);
  if (Number.isNaN(time.getTime())) return String(value);
  const format = new Intl.DateTimeFormat("en-US", {
    ...{ year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" },
    ...{ hourCycle: "h23", timeZone: "UTC" },
  });
  return `${format.format(time)} UTC`;
}

interface Comparison {
  /** Whether it shows that the log is as it was, up to an entry. */
  readonly holds: boolean;
  /** Empty where there is nothing to compare. */
  readonly text: string;
}

const missing =
  "This hash is not in the file's log: the file is of another count, or the log was written anew.";

/** What a hash that was kept elsewhere, or its beginning, says of the log. */
export function comparison(
  typed: string,
  { entries, firstFaulty }: Pick<Verdict, "entries" | "firstFaulty">,
): Comparison {
  // A hash that is cut off may be shown with dots behind it.
  const asked = typed
    .trim()
    .toLowerCase()
    .replace(/(…|\.+)$/, "");
  if (asked === "") return { holds: false, text: "" };
  if (asked.length < fewestCharacters) {
    return { holds: false, text: `Enter at least ${fewestCharacters} characters of the hash.` };
  }
  const matching = [...entries].flatMap(([hash, entry], index) =>
    hash.startsWith(asked) ? [{ hash, entry, holds: index < firstFaulty }] : [],
  );
  const [first] = matching;
  if (first === undefined) return { holds: false, text: missing };
  if (matching.length > 1) {
    return {
      holds: false,
      text: `${number(matching.length)} hashes of the log begin so: enter more of it.`,
    };
  }
  const { hash, entry, holds } = first;
  const place = `entry ${String(entry.position)} of ${number(entries.size)}, of ${timeText(entry.at)}`;
  const upTo = holds
    ? "up to there the log is as it was."
    : "the hash is there, but the log was changed there or before.";
  if (asked.length === hashDigits) return { holds, text: `This is the hash of ${place}: ${upTo}` };
  return {
    holds,
    text: `The hash of ${place}, begins so: ${upTo} The whole hash is ${hash}.`,
  };
}
