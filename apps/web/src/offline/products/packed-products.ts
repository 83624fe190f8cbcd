import {
  allSteps,
  beginPackedTables,
  indexPacks,
  Pack,
  type PackLookup,
  type Product,
  type ProductIndex,
  packedIndex,
} from "@stocktake/contract";
import * as z from "zod/mini";
import { Bytes, WholeNumbers } from "./typed-arrays.ts";

// A new layout needs a new number: what another version of the page wrote is then packed again from the rows.
const packedVersion = 4;

/** The browser stores a table and reads it back unchanged: nothing is built when an area is opened. */
const StoredBuckets = z.object({ starts: WholeNumbers, rows: WholeNumbers });

/**
 * A store's products with their look-up tables as the device stores them beside the rows: a few blocks of bytes, which the
 * browser reads back in one piece. Row by row, 100,000 products take over half a second to read on a fast machine.
 * The content is validated when it is packed; when it is read, only the structure is.
 */
export const PackedProducts = z.object({
  version: z.literal(packedVersion),
  etag: z.string(),
  /** A line of JSON for each product (see {@link productLine}), in UTF-8. */
  text: Bytes,
  /** The offset of each line, and of the end of the last one. */
  lineStarts: WholeNumbers,
  byBarcode: StoredBuckets,
  bySku: StoredBuckets,
  byLastFourDigits: StoredBuckets,
  /** The codes of packs: few, beside the products. */
  packs: z.array(Pack),
});
export type PackedProducts = z.infer<typeof PackedProducts>;

const Row = z.tuple([
  z.string(),
  z.nullable(z.string()),
  z.nullable(z.string()),
  z.string(),
  z.nullable(z.string()),
  z.nullable(z.string()),
]);

/** A product as one line: equal lines are equal products, except for the store, which is the same for a whole packed copy. */
export function productLine({ sku, plainSku, barcode, productTitle, size, image }: Product): string {
  const row: z.infer<typeof Row> = [sku, plainSku ?? null, barcode, productTitle, size, image];
  return JSON.stringify(row);
}

export function productOfLine(line: string, storeId: string): Product {
  const [sku, plainSku, barcode, productTitle, size, image] = z.parse(Row, JSON.parse(line));
  return {
    ...{ sku, barcode, productTitle, size, image, storeId },
    ...(plainSku === null ? {} : { plainSku }),
  };
}

const lineFeed = 0x0a;

/** JSON escapes line feeds within strings: an unescaped one ends a line. */
function findLineStarts(text: Uint8Array, lines: number): Uint32Array<ArrayBuffer> {
  const starts = new Uint32Array(lines + 1);
  for (let line = 1; line <= lines; line += 1) {
    starts[line] = text.indexOf(lineFeed, starts[line - 1]) + 1;
  }
  return starts;
}

/** Packs a store's products, each SKU once, with their look-up tables, and keeps the codes of packs beside them. */
export function packProducts(
  products: readonly Product[],
  etag: string,
  packs: readonly Pack[] = [],
): PackedProducts {
  const { add, tables } = beginPackedTables();
  for (const product of products) add(product);
  const text = new TextEncoder().encode(products.map((product) => `${productLine(product)}\n`).join(""));
  return {
    ...{ version: packedVersion, etag, text, lineStarts: findLineStarts(text, products.length) },
    ...allSteps(tables()),
    packs: [...packs],
  };
}

/** What has to be written and deleted to make the rows match the response. */
export interface ProductChanges {
  readonly changed: readonly Product[];
  readonly removed: readonly string[];
}

/** Changes from the products of a packed copy that certainly matches the rows. */
export function changesFromPacked(
  packed: PackedProducts,
  products: readonly Product[],
  storeId: string,
): ProductChanges {
  const oldLines = new Set(packedLines(packed));
  const changed = products.filter((product) => !oldLines.delete(productLine(product)));
  const present = new Set(products.map((product) => product.sku));
  // The remaining lines are of products that changed or were removed.
  const left = [...oldLines].map((line) => productOfLine(line, storeId).sku);
  return { changed, removed: left.filter((sku) => !present.has(sku)) };
}

/** All lines of a packed copy. */
export function packedLines({ text }: PackedProducts): string[] {
  return new TextDecoder().decode(text).split("\n").slice(0, -1);
}

/** A store's products in memory, against which scans are matched. */
export interface HeldProducts {
  /** The server's identifier of the catalogue's state. */
  readonly etag: string;
  readonly productCount: number;
  readonly index: ProductIndex<Product>;
  readonly packs: PackLookup;
  /** The products of a range of rows, the last one excluded, in the catalogue's order. */
  readonly slice: (from: number, to: number) => Product[];
}

/** The blocks of bytes, to transfer them from a worker to the page without copying. */
export function packedBuffers(packed: PackedProducts): ArrayBuffer[] {
  const { text, lineStarts, byBarcode, bySku, byLastFourDigits } = packed;
  const tables = [byBarcode, bySku, byLastFourDigits].flatMap(({ starts, rows }) => [starts, rows]);
  return [text, lineStarts, ...tables].map(({ buffer }) => buffer);
}

/** Reads a stored value or a worker's result; null where this version of the page did not pack it. */
export function readPackedProducts(value: unknown): PackedProducts | null {
  const parsed = z.safeParse(PackedProducts, value);
  return parsed.success ? parsed.data : null;
}

/** An index for matching that reads the packed bytes directly: ready at once, however many products there are. */
function indexOf(packed: PackedProducts, storeId: string): ProductIndex<Product> {
  const decoder = new TextDecoder();
  const { text, lineStarts } = packed;
  const productAt = (row: number) =>
    productOfLine(decoder.decode(text.subarray(lineStarts[row], lineStarts[row + 1])), storeId);
  return packedIndex(packed, productAt);
}

/** Decodes a range at once: line by line takes several times as long. */
function sliceOf({ text, lineStarts }: PackedProducts, storeId: string, from: number, to: number): Product[] {
  const last = Math.min(to, lineStarts.length - 1);
  const lines = new TextDecoder().decode(text.subarray(lineStarts[from], lineStarts[last])).split("\n");
  return lines.slice(0, -1).map((line) => productOfLine(line, storeId));
}

export function holdProducts(packed: PackedProducts, storeId: string): HeldProducts {
  const { etag, lineStarts, packs } = packed;
  return {
    ...{ etag, productCount: lineStarts.length - 1 },
    ...{ index: indexOf(packed, storeId), packs: indexPacks(packs) },
    slice: (from, to) => sliceOf(packed, storeId, from, to),
  };
}
