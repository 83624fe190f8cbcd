import { createHash } from "node:crypto";
import Papa from "papaparse";
import type { Catalogue } from "../catalogue.ts";
import { gtinProducts } from "./csv-gtin.ts";
import { exportedProducts } from "./csv-product-export.ts";
import type { CsvRow, LineNote, ReadProducts } from "./csv-rows.ts";

export interface LoadedCatalogue {
  readonly catalogue: Catalogue;
  /** Lines that were left out or changed, and why. */
  readonly notes: readonly LineNote[];
}

interface ParsedCsv {
  readonly columns: readonly string[];
  readonly rows: readonly CsvRow[];
  readonly notes: readonly LineNote[];
}

/** Rows that are shorter than the header are right: many programs leave trailing empty cells out. */
const HARMLESS = ["TooFewFields", "UndetectableDelimiter"];

function countLines(text: string): number {
  return text.split("\n").length - 1;
}

function trimmed(name: string): string {
  return name.trim();
}

function parseCsv(text: string): ParsedCsv {
  const rows: CsvRow[] = [];
  const notes: LineNote[] = [];
  let cursor = 0;
  let line = 1;
  Papa.parse<Record<string, string>>(text, {
    header: true,
    skipEmptyLines: "greedy",
    transformHeader: trimmed,
    step: ({ data, errors, meta }) => {
      // A cell may hold line breaks, so lines are counted in the text that was read and not in rows.
      const start = cursor === 0 ? 2 : line;
      line += countLines(text.slice(cursor, meta.cursor));
      cursor = meta.cursor;
      for (const error of errors) {
        if (!HARMLESS.includes(error.code)) notes.push({ line: start, message: `${error.message}.` });
      }
      rows.push({ line: start, cells: data });
    },
  });
  const { meta } = Papa.parse(text, { header: true, preview: 1, transformHeader: trimmed });
  return { columns: meta.fields ?? [], rows, notes };
}

function readProducts(columns: readonly string[], rows: readonly CsvRow[]): ReadProducts {
  if (columns.includes("Handle") && columns.includes("Title")) return exportedProducts(rows);
  if (columns.includes("gtin") && columns.includes("title")) return gtinProducts(rows);
  throw new Error(
    "The file is neither a Shopify product export (Handle, Title, …) nor a list with the columns gtin,title,brand,category.",
  );
}

/**
 * A shop from a CSV file: a Shopify product export, or a list gtin,title,brand,category. Throws an Error for
 * people where the file is neither or holds no product; single bad lines become notes.
 */
export function csvCatalogue(text: string, name: string): LoadedCatalogue {
  const { columns, rows, notes } = parseCsv(text.replace(/^\uFEFF/, ""));
  const read = readProducts(columns, rows);
  if (read.products.length === 0) throw new Error(`${name} holds no product.`);
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const catalogue: Catalogue = {
    fingerprint: `csv-${digest}`,
    shop: { name, myshopifyDomain: "imported-shop.myshopify.com", currencyCode: "USD" },
    locations: [{ name: "Main Shop" }, { name: "Second Shop" }],
    products: read.products,
  };
  return { catalogue, notes: [...notes, ...read.notes].sort((one, other) => one.line - other.line) };
}
