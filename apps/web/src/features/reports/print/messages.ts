import { countText, quantityText } from "../../../ui/formats.ts";
import type { NamedAreas, OpenAreas } from "../open-areas.ts";

/** Texts of the printed report's first page. */
export const coverMessages = {
  title: "Variance Report",
  store: "Store",
  shopifyLocation: "Shopify location",
  printed: "Printed",
  printedBy: (time: string, username: string) => `${time} by ${username}`,
  zone: "Times are in",
  session: "Session",
  sessionOf: (id: string, isPartial: boolean) => (isPartial ? `${id} (partial count)` : id),
  name: "Name",
  note: "Note",
  started: "Started",
  ended: "Ended",
  comparison: "Compared with",
  comparisons: { end: "Stock at the end of the session", count: "Stock at the time of counting" },
  withoutEndStock: (compared: string | null) =>
    `${compared ?? "Stock at the start of the session"}: the Shopify location was gone at the end, so sales since the start are not known and nothing can be deployed`,
  counters: "Counted by",
  countersOf: "as scanned; counts set by hand are not among them",
  counter: (username: string, units: number) => `${username} (${countText(units, "unit", "units")})`,
  moreCounters: (people: number, units: number) =>
    `and ${quantityText(people)} more (${countText(units, "unit", "units")})`,
  nobody: "Nobody scanned anything",
  areas: "Areas",
  allClosed: (areas: number) => `${countText(areas, "area", "areas")}, all closed`,
  open: (areas: number, { neverClosed, onPurpose }: OpenAreas) => {
    const told = ({ count, names }: NamedAreas, what: string) =>
      count === 0 ? [] : [`${quantityText(count)} ${what}: ${names}`];
    const parts = [...told(neverClosed, "not closed"), ...told(onPurpose, "not counted on purpose")];
    return `${countText(areas, "area", "areas")}, ${parts.join("; ")}`;
  },
  noAreas: "The store had no areas",
  totals: "Totals",
  overages: "Variances over",
  shortages: "Variances short",
  sum: (units: string, money: string) => `${units} units, ${money}`,
  neverCounted: "Of these never counted",
  exceptions: "Scans that need a decision",
  none: "None",
  state: "In Shopify",
  stateOf: (state: string, about: string) => `${state} ${about}`,
  deployed: (time: string, username: string | null, moved: string) =>
    `${time}${username === null ? "" : ` by ${username}`}: ${moved}`,
  moved: (skus: number, figures: string) => `${countText(skus, "SKU", "SKUs")}, ${figures}`,
  nothingMoved: "no SKU",
  coverage: "Coverage",
  auditHash: "Audit hash",
  signatures: ["Counted by", "Checked by", "Approved by"],
  signed: "Name, date, signature",
  countedRows: (rows: string) => `Counted (${rows})`,
  neverCountedRows: (rows: string) => `Never counted (${rows})`,
  fileTitle: (store: string, day: string, session: string) => `Variance report ${day} ${store} ${session}`,
} as const;
