import type { Steps } from "../in-steps.ts";
import {
  barcodeKeyOf,
  lastFourDigitsOf,
  type MatchableProduct,
  type ProductIndex,
  type ProductLookup,
  productKeys,
  skuKeysOf,
} from "./matching.ts";

/**
 * A look-up table as two arrays of whole numbers, which are stored and read back unchanged. The rows of bucket n are those
 * from `starts[n]` to `starts[n + 1]`, in the catalogue's order. A bucket may contain rows of other keys with the same hash:
 * the reader compares the keys themselves.
 */
export interface KeyBuckets {
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly rows: Uint32Array<ArrayBuffer>;
}

/** The look-up tables of a catalogue whose products lie elsewhere, each under the number of its row. */
export interface PackedTables {
  readonly byBarcode: KeyBuckets;
  readonly bySku: KeyBuckets;
  readonly byLastFourDigits: KeyBuckets;
}

/** FNV-1a over the key's UTF-16 code units, with a final mix because only the lowest bits select the bucket. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** Collects keys with their rows, then sorts them into buckets. */
class KeyCollector {
  private readonly hashes: number[] = [];
  private readonly rows: number[] = [];

  /** Rows must come in ascending order. */
  add(key: string, row: number): void {
    this.hashes.push(hashOf(key));
    this.rows.push(row);
  }

  /** A counting sort: each bucket keeps the order in which its rows were added. */
  toBuckets(): KeyBuckets {
    // A power of two, so that the hash's lowest bits are the bucket number.
    const buckets = 2 ** Math.ceil(Math.log2(this.rows.length + 1));
    const bucketOf = (hash: number) => (hash & (buckets - 1)) >>> 0;
    const starts = new Uint32Array(buckets + 1);
    for (const hash of this.hashes) {
      const after = bucketOf(hash) + 1;
      starts[after] = (starts[after] ?? 0) + 1;
    }
    for (let bucket = 0; bucket < buckets; bucket += 1) {
      starts[bucket + 1] = (starts[bucket + 1] ?? 0) + (starts[bucket] ?? 0);
    }
    const next = starts.slice();
    const rows = new Uint32Array(this.rows.length);
    for (let entry = 0; entry < rows.length; entry += 1) {
      const bucket = bucketOf(this.hashes[entry] ?? 0);
      const position = next[bucket] ?? 0;
      rows[position] = this.rows[entry] ?? 0;
      next[bucket] = position + 1;
    }
    return { starts, rows };
  }
}

/** The rows that may have a key, ascending, each once. */
function rowsIn({ starts, rows }: KeyBuckets, key: string): number[] {
  const bucket = (hashOf(key) & (starts.length - 2)) >>> 0;
  const end = starts[bucket + 1] ?? 0;
  const found: number[] = [];
  let before: number | undefined;
  for (let place = starts[bucket] ?? 0; place < end; place += 1) {
    const row = rows[place];
    // A product whose two SKUs share a bucket is in it twice, side by side.
    if (row !== undefined && row !== before) found.push(row);
    before = row;
  }
  return found;
}

/** Tables that are filled product by product: the first one added is row 0. Then each table is a step. */
export function beginPackedTables(): {
  readonly add: (product: MatchableProduct) => void;
  readonly tables: () => Steps<PackedTables>;
} {
  const [barcodes, allSkus, endings] = [new KeyCollector(), new KeyCollector(), new KeyCollector()];
  let row = 0;
  return {
    add(product) {
      const { barcode, skus, lastFourDigits } = productKeys(product);
      if (barcode !== null) barcodes.add(barcode, row);
      for (const sku of skus) allSkus.add(sku, row);
      if (lastFourDigits !== null) endings.add(lastFourDigits, row);
      row += 1;
    },
    *tables() {
      const byBarcode = barcodes.toBuckets();
      yield;
      const bySku = allSkus.toBuckets();
      yield;
      return { byBarcode, bySku, byLastFourDigits: endings.toBuckets() };
    },
  };
}

/** An index that reads products where they lie: ready at once, however many there are. `productAt` reads that of a row. */
export function packedIndex<P extends MatchableProduct>(
  { byBarcode, bySku, byLastFourDigits }: PackedTables,
  productAt: (row: number) => P,
): ProductIndex<P> {
  const lookup = (buckets: KeyBuckets, has: (product: P, key: string) => boolean): ProductLookup<P> => ({
    get: (key) =>
      rowsIn(buckets, key)
        .map(productAt)
        .filter((product) => has(product, key)),
  });
  return {
    byBarcode: lookup(byBarcode, (product, key) => barcodeKeyOf(product) === key),
    bySku: lookup(bySku, (product, key) => skuKeysOf(product).includes(key)),
    byLastFourDigits: lookup(byLastFourDigits, (product, key) => lastFourDigitsOf(product) === key),
  };
}
