import { countText, quantityText } from "../../../ui/formats.ts";

const units = (count: number) => countText(count, "unit", "units");

/** Messages of the pages for count sheets. */
export const messages = {
  title: "Count Sheets",
  subtitle: (store: string) => `Counting ${store} on paper when devices fail`,
  back: "Back to Sessions",
  failed: "Failed to fetch data",
  missing: "Session Not Found",
  missingText: "It may belong to another installation. Go back to Sessions and choose one.",
  over: "This count has ended",
  overText: "Nothing can be printed for it or keyed any more. Change a figure in its report instead.",
  open: {
    heading: "Key a Sheet",
    number: "Sheet Number",
    note: "It is at the top of every page. Key from the paper or from a photo of it; no upload is needed.",
    go: "Key",
    unknown: (number: string) => `There is no sheet ${number} in this session.`,
    saved: (number: number, count: number) => `Sheet ${number} was saved: ${units(count)}.`,
  },
  print: {
    heading: "Print Sheets",
    intro:
      "Each area gets a sheet with the products that were counted there last, without any figure, and blank lines for everything else.",
    areas: "Areas",
    none: "This session has no areas. Create them under Locations first.",
    order: "Order of the Products",
    orders: { walk: "As the area was scanned last", title: "By title and size" },
    blankPages: "Extra Pages of Blank Lines",
    blankPagesNote: "For each area, besides the lines that are always left blank.",
    blankPagesProblem: (most: number) => `Enter a whole number from 0 to ${most}.`,
    submit: (areas: number) =>
      areas === 0 ? "Print Sheets" : `Print Sheets of ${countText(areas, "Area", "Areas")}`,
    busy: "Making Sheets...",
    begun: (codes: readonly string[]) =>
      codes.length === 1
        ? `Area ${codes[0]} is in progress`
        : `${countText(codes.length, "area", "areas")} are in progress: ${codes.slice(0, 8).join(", ")}${codes.length > 8 ? ", …" : ""}`,
    begunText:
      "Its sheet lists what was scanned there already, and what is keyed is added to that. Reset such an area before it is counted on paper, or write down only what was not scanned.",
    failed: "Failed to make the sheets",
    tooMany: (most: number) => `Choose at most ${quantityText(most)} areas at a time.`,
  },
  list: {
    heading: "Sheets of This Session",
    none: "No sheets yet",
    noneText: "Sheets that you print are listed here, each by its number, until it is keyed or void.",
    out: (count: number) =>
      count === 0 ? "None is out." : `${countText(count, "sheet is", "sheets are")} out.`,
    number: "Sheet",
    area: "Area",
    state: "State",
    printed: "Printed",
    became: "Keyed or Void",
    actions: "Actions",
    states: { out: "Out", returned: "Returned", void: "Void" },
    unstored: "Not stored whole",
    by: (time: string, name: string) => `${time} by ${name}`,
    keyed: (count: number, declared: number | null) =>
      declared === null || declared === count
        ? units(count)
        : `${units(count)}, declared ${quantityText(declared)}`,
    counted: (name: string) => `counted by ${name}`,
    key: "Key",
    keyOf: (number: number) => `Key sheet ${number}`,
    look: "Show",
    lookOf: (number: number) => `Show sheet ${number}`,
    again: "Print Again",
    againOf: (number: number) => `Print Again: sheet ${number}`,
    void: "Void",
    voidOf: (number: number) => `Declare sheet ${number} void`,
  },
  voiding: {
    title: (number: number) => `Declare Sheet ${number} Void`,
    text: "It is then never keyed, and its number is not used again. Nothing that was counted changes.",
    reason: "Reason",
    reasonNote: "Lost, spoilt, not needed: what somebody should know who looks for it.",
    confirm: "Declare Void",
    failed: "Failed to declare the sheet void",
  },
  paper: {
    title: "Print Count Sheets",
    back: "Back to Count Sheets",
    ready: (sheets: number, pages: number) =>
      `${countText(sheets, "sheet", "sheets")} on ${countText(pages, "page", "pages")}, for A4 or Letter`,
    print: "Print",
    reading: (done: string, all: string) => `${done} of ${all} sheets`,
    nothing: "No sheets to print",
    nothingText: "They may be keyed or void already. Go back and choose others.",
    sheet: (number: number) => `Sheet ${number}`,
    page: (page: number, pages: number) => `Page ${page} of ${pages}`,
    printed: (time: string) => `Printed ${time}`,
    name: "Counted by",
    date: "Date",
    from: "From",
    until: "Until",
    total: "Total of all pages of this sheet",
    line: "Line",
    product: "Product",
    code: "Code",
    counted: "Counted",
  },
} as const;
