import { countText } from "../../../ui/formats.ts";

/** What a counter reads once the session is over. `isYours`: the person who reads it is the only one who scanned on this device. */
export const finishedMessages = {
  title: "Count finished, thank you",
  endedAt: (store: string, ended: string | null) =>
    `The count of ${store} ${ended === null ? "has ended" : `ended on ${ended}`}.`,
  nothingScanned: "Nothing was scanned on this device.",
  nothingCounts: "Nothing that was scanned on this device counts.",
  scanned: (items: number, areas: number, isYours: boolean) => {
    const what = countText(items, "item", "items");
    const who = isYours ? `You scanned ${what}` : `${what} ${items === 1 ? "was" : "were"} scanned`;
    return `${who} in ${countText(areas, "area", "areas")} on this device.`;
  },
  byDevice:
    "That is by this device alone: what was accepted, restored or counted again elsewhere is not in it.",
  late: (items: number, isYours: boolean) => {
    const [were, them] = items === 1 ? ["was", "it"] : ["were", "them"];
    const scanned = isYours ? "you scanned" : `${were} scanned on this device`;
    return `${countText(items, "item", "items")} that ${scanned} reached the server after the count had ended. The administrator decides about ${them}.`;
  },
  empty: "Everything on this device has reached the server. You can put it away.",
  holds: (entries: number) =>
    `${countText(entries, "entry", "entries")} on this device still ${entries === 1 ? "has" : "have"} to reach the server. Leave this page open and the device connected until this notice turns green.`,
  goOn: "Go On",
} as const;
