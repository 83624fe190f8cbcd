import { limits } from "@stocktake/contract";
import { quantityText } from "../../ui/formats.ts";
import { countTexts } from "./texts.ts";

/** A typed count as a whole number from 0 to the contract's limit; null for anything else, so that it can't be saved. */
export function readCount(entry: string): number | null {
  if (!/^\d+$/.test(entry.trim())) return null;
  const count = Number.parseInt(entry, 10);
  return count <= limits.quantity ? count : null;
}

/** Why a typed count can't be saved, for the person who typed it; null where it can. */
export function problemOfCount(entry: string): string | null {
  if (readCount(entry) !== null) return null;
  const count = Number(entry);
  if (entry.trim() === "" || Number.isNaN(count) || count < 0) return countTexts.tooLow;
  return count > limits.quantity ? countTexts.tooHigh(quantityText(limits.quantity)) : countTexts.notWhole;
}
