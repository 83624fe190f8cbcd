/** The words around loading a device's saved queue, in one place. */
export const rescueTexts = {
  heading: "Load a Device's File",
  intro:
    "For a device that can't connect any more: on its counter dashboard choose Save Queue as File, bring the file here and load it. Loading a file twice, or a device that comes back after all, counts nothing twice.",
  choose: "Choose File",
  notAQueue:
    "This is not the saved queue of a device, or it was cut off on the way. Save it on the device again.",
  failed: "Failed to load the file",
  safe: "What was sent until then is stored. Load the file again to go on.",
  title: "Load this device's scans?",
  from: (device: string, savedAt: string) => `Device …${device}, saved ${savedAt}`,
  holds: (scans: number, undos: number) =>
    `${scans === 1 ? "1 scan" : `${scans} scans`}${undos === 0 ? "" : `, ${undos} undone`}`,
  send: "Load Scans",
  sending: "Loading...",
  close: "Close",
  done: "The file is loaded",
  counted: "Counted",
  late: "Late: kept apart until you accept them",
  unresolved: "Unknown codes: waiting for your decision",
  voided: "Not counted any more (undone, reset or recounted)",
  known: "Of these, already on the server",
  undone: "Undone, as on the device",
  leftOut: "Undone on the device before they were sent: left out",
  refusedTitle: (count: number) => (count === 1 ? "1 entry was refused" : `${count} entries were refused`),
  refusedIn: (what: string, areaCode: string, error: string) => `${what} in area ${areaCode}: ${error}`,
  toDecide: "Not done, because others may have counted there since",
  finish: (areaCode: string, total: number) => `Finish of area ${areaCode} with ${total} items`,
  reset: (areaCode: string) => `Reset of area ${areaCode}`,
} as const;
