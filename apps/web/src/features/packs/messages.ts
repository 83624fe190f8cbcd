import { countText, quantityText } from "../../ui/formats.ts";

/** Messages of the packs page. */
export const messages = {
  title: "Packs",
  subtitle: "Codes on cartons and bundles: one scan counts every unit inside",
  addHeading: "Add or Change Codes",
  intro:
    "One code a line as CODE,SKU,UNITS: typed, pasted from a spreadsheet, or loaded from a CSV file. A code that is here already takes the new product and units; with 0 units it is taken out.",
  label: "Codes of packs",
  placeholder: "5012345678900,SOCK-M,12\n5012345678917,SOCK-L,12",
  load: "Load a CSV File",
  save: (count: number) => `Save ${countText(count, "Code", "Codes")}`,
  correct: (count: number) => `Correct ${countText(count, "line", "lines")} first`,
  tooMany: (most: number) => `At most ${quantityText(most)} codes can be saved at a time.`,
  saving: "Saving…",
  saveFailed: "Failed to save the codes of packs",
  fetchFailed: "Failed to fetch data",
  nothingChanged: "Nothing changed: these codes were here already.",
  saved: (added: number, changed: number, removed: number) =>
    [
      added === 0 ? null : `${quantityText(added)} added`,
      changed === 0 ? null : `${quantityText(changed)} changed`,
      removed === 0 ? null : `${quantityText(removed)} taken out`,
    ]
      .filter((part) => part !== null)
      .join(", "),
  phones: "Phones that are online have it within seconds.",
  listHeading: "Codes",
  none: "No Codes Yet",
  noneText: "A scan of a carton is an unknown code until you add it here.",
  search: "Search codes, products and SKUs",
  noMatch: "No code matches.",
  shown: (shown: number, all: number) =>
    `The first ${quantityText(shown)} of ${quantityText(all)} are shown. Search for the others.`,
  gone: "Not in the shop any more: its code fits nothing",
  ownCode: (skus: string) => `Now the own code of ${skus}, which is counted instead`,
  preview: "What will be saved",
  takenOut: "taken out",
  more: (lines: number) => `and ${quantityText(lines)} more`,
  units: (units: number) => `×${quantityText(units)}`,
  remove: "Take Out",
  removeTitle: "Take out this code?",
  removeQuestion: (code: string) =>
    `Are you sure you want to take out ${code}? A scan of it is an unknown code from then on. What was counted stays.`,
  line: {
    noCode: "The code is missing.",
    noSku: "The SKU is missing.",
    noUnits: "The units are missing: CODE,SKU,UNITS.",
    badUnits: (most: string) => `The units must be a whole number from 0 to ${most}.`,
    ambiguousUnits: (units: string) => `${units} can be read in two ways. Write the units in digits alone.`,
    tooMuch: "There is more on this line than CODE,SKU,UNITS.",
    twice: "This code is listed twice.",
  },
} as const;
