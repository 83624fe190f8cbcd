import { countText, quantityText } from "../../../ui/formats.ts";

/** What the queue says of what the server does not take, for now or for good. */
export const queueMessages = {
  declinedTitle: (operation: string) => `${operation} was not accepted yet`,
  declinedWhy: (error: string) => `The server said: ${error}`,
  declinedSafe: (behind: number, areOthersSent: boolean) => {
    const waiting =
      behind === 1 ? "1 entry of this area waits" : `${quantityText(behind)} entries of this area wait`;
    const safe = areOthersSent ? "Nothing is lost, and other areas are sent." : "Nothing is lost.";
    return behind === 0 ? safe : `${waiting} behind it on this device. ${safe}`;
  },
  declinedNext:
    "It is tried again every minute. If it stays like this, show this to the administrator: they may have to correct the server's address, or you have to sign in again. You can also save the queue as a file for them.",
  barredTitle: (entries: number) =>
    `${countText(entries, "entry is", "entries are")} of a counting session that you can't send to`,
  barred: (entries: number) => {
    const [kept, sent, save] = entries === 1 ? ["It is", "it is", "it"] : ["They are", "they are", "them"];
    return `${kept} kept on this device, and nothing is lost. Let the administrator sign in on this device, and ${sent} sent. Or save ${save} as a file for the administrator to import under Sessions.`;
  },
  refused: (entries: number) => `${quantityText(entries)} refused by the server`,
  refusedScans: (scans: number) =>
    `${countText(scans, "scan is", "scans are")} kept on this device and not counted.`,
  refusedNoScan: "No scan is among it, so nothing that was scanned is lost. Show this to the administrator.",
} as const;
