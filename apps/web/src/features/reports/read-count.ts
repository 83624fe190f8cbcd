import { limits } from "@stocktake/contract";

/** A typed count as a whole number from 0 to the contract's limit; null for anything else, so that it can't be saved. */
export function readCount(entry: string): number | null {
  if (!/^\d+$/.test(entry.trim())) return null;
  const count = Number.parseInt(entry, 10);
  return count <= limits.quantity ? count : null;
}
