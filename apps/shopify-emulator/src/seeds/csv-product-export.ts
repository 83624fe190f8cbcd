import type { ProductSeed, VariantSeed } from "../catalogue.ts";
import type { ProductStatus, SelectedOption } from "../entities.ts";
import { type CsvRow, cell, type LineNote, type ReadProducts } from "./csv-rows.ts";

interface Draft {
  readonly handle: string;
  readonly title: string;
  readonly vendor: string;
  readonly productType: string;
  readonly status: ProductStatus;
  readonly image: string;
  /** Named on the product's first row only. */
  readonly optionNames: readonly string[];
  readonly variants: VariantSeed[];
}

const OPTION_COLUMNS = [1, 2, 3];

const STATUSES: Readonly<Record<string, ProductStatus>> = {
  archived: "ARCHIVED",
  draft: "DRAFT",
  unlisted: "UNLISTED",
};

function draftOf(row: CsvRow): Draft {
  const names = OPTION_COLUMNS.map((place) => cell(row, `Option${place} Name`));
  return {
    handle: cell(row, "Handle"),
    title: cell(row, "Title"),
    vendor: cell(row, "Vendor"),
    productType: cell(row, "Type"),
    status: STATUSES[cell(row, "Status").toLowerCase()] ?? "ACTIVE",
    image: cell(row, "Image Src"),
    optionNames: names.filter((name) => name !== ""),
    variants: [],
  };
}

function optionsOf(row: CsvRow, { optionNames }: Draft): SelectedOption[] {
  return optionNames.map((name, index) => ({
    name,
    value: cell(row, `Option${index + 1} Value`) || "Default Title",
  }));
}

function emptyToNull(text: string): string | null {
  return text === "" ? null : text;
}

/** An empty quantity is 0; null for text that is no whole number. */
function quantityOf(row: CsvRow): number | null {
  const text = cell(row, "Variant Inventory Qty");
  if (text === "") return 0;
  return /^-?\d+$/.test(text) ? Number(text) : null;
}

/** Undefined for text that is no amount of money. */
function costOf(row: CsvRow): string | null | undefined {
  const text = cell(row, "Cost per item");
  if (text === "") return null;
  return /^\d+(\.\d+)?$/.test(text) ? Number(text).toFixed(2) : undefined;
}

/** The export has the stock of one place: the first location has it, the second has none. */
function variantOf(row: CsvRow, draft: Draft, note: (message: string) => void): VariantSeed {
  const options = optionsOf(row, draft);
  const quantity = quantityOf(row);
  const cost = costOf(row);
  if (quantity === null)
    note(`The quantity ${cell(row, "Variant Inventory Qty")} is not a whole number: taken as 0.`);
  if (cost === undefined) note(`The cost ${cell(row, "Cost per item")} is not an amount: left unknown.`);
  return {
    title: options.map(({ value }) => value).join(" / ") || "Default Title",
    sku: emptyToNull(cell(row, "Variant SKU")),
    barcode: emptyToNull(cell(row, "Variant Barcode")),
    ...(options.length > 0 && { options }),
    tracked: cell(row, "Variant Inventory Tracker") !== "",
    unitCost: cost ?? null,
    stock: [{ available: quantity ?? 0 }, { available: 0 }],
  };
}

/** Rows that only carry a further picture of the product have neither an option nor a price. */
function isVariantRow(row: CsvRow): boolean {
  return cell(row, "Option1 Value") !== "" || cell(row, "Variant Price") !== "" || cell(row, "Title") !== "";
}

function seedOf({ image, optionNames: _names, ...product }: Draft): ProductSeed {
  return { ...product, image: image === "" ? null : { kind: "address", url: image } };
}

/**
 * Products from Shopify's product export: rows with one handle belong together, the first of them names the
 * product. A row without a handle, or whose product has no title, is left out with a note.
 */
export function exportedProducts(rows: readonly CsvRow[]): ReadProducts {
  const drafts = new Map<string, Draft>();
  const notes: LineNote[] = [];
  for (const row of rows) {
    const handle = cell(row, "Handle");
    const note = (message: string) => void notes.push({ line: row.line, message });
    if (handle === "") note("The handle is empty: the line is left out.");
    else if (!drafts.has(handle) && cell(row, "Title") === "")
      note(`${handle} has no title yet: the line is left out.`);
    else addRow(row, drafts, note);
  }
  return { products: [...drafts.values()].map(seedOf), notes };
}

function addRow(row: CsvRow, drafts: Map<string, Draft>, note: (message: string) => void): void {
  const handle = cell(row, "Handle");
  const draft = drafts.get(handle) ?? draftOf(row);
  drafts.set(handle, draft);
  if (isVariantRow(row)) draft.variants.push(variantOf(row, draft, note));
}
