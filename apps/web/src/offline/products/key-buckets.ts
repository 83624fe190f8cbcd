import * as z from "zod/mini";
import { WholeNumbers } from "./typed-arrays.ts";

/**
 * A look-up table as two arrays of whole numbers, which the browser stores and reads back unchanged: nothing is built when
 * an area is opened. The rows of bucket n are those from `starts[n]` to `starts[n + 1]`, in the catalogue's order. A bucket
 * may contain rows of other keys with the same hash: the reader compares the keys themselves.
 */
export const KeyBuckets = z.object({
  starts: WholeNumbers,
  rows: WholeNumbers,
});
export type KeyBuckets = z.infer<typeof KeyBuckets>;

/** FNV-1a over the key's UTF-16 code units, with a final mix because only the lowest bits select the bucket. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** Collects keys with their rows, then sorts them into buckets. */
export class KeyCollector {
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
    for (const hash of this.hashes) starts[bucketOf(hash) + 1] = (starts[bucketOf(hash) + 1] ?? 0) + 1;
    for (let bucket = 0; bucket < buckets; bucket += 1) {
      starts[bucket + 1] = (starts[bucket + 1] ?? 0) + (starts[bucket] ?? 0);
    }
    const next = starts.slice();
    const rows = new Uint32Array(this.rows.length);
    for (const [entry, hash] of this.hashes.entries()) {
      const position = next[bucketOf(hash)] ?? 0;
      rows[position] = this.rows[entry] ?? 0;
      next[bucketOf(hash)] = position + 1;
    }
    return { starts, rows };
  }
}

/** The rows that may have a key, ascending, each once. */
export function rowsIn({ starts, rows }: KeyBuckets, key: string): number[] {
  const bucket = (hashOf(key) & (starts.length - 2)) >>> 0;
  const found = rows.subarray(starts[bucket] ?? 0, starts[bucket + 1] ?? 0);
  // A product whose two SKUs share a bucket is in it twice, side by side.
  return [...found].filter((row, index) => row !== found[index - 1]);
}
