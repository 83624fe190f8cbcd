import { productMap } from "@stocktake/contract";
import * as z from "zod/mini";
import type { StocktakeDatabase } from "../database/database.ts";
import type { PackedProducts } from "./packed-products.ts";
import { packStoredProducts, replaceProducts } from "./product-store.ts";

/** The body of an answer is not the server's: cut off, or something between answered in its place. */
export class ForeignAnswerError extends Error {
  constructor(cause?: unknown) {
    super("The answer is not the server's.", { cause });
    this.name = "ForeignAnswerError";
  }
}

/** Hears how many of the rows that have to be written are. */
export type RowsWritten = (written: number, of: number) => void;

/** An answer of `productMap` to take over. */
export interface Replacement {
  readonly storeId: string;
  /** Its bytes as they came: they are handed over and cannot be read afterwards. */
  readonly body: Uint8Array<ArrayBuffer>[];
  /** True where the rows held number what the last sync brought: then only what differs is written. */
  readonly isWhole: boolean;
  /** ISO 8601. */
  readonly now: string;
}

/** The work on a store's products that takes long: in the browser a worker does it, so that scanning goes on. */
export interface ProductWriter {
  /**
   * Makes the store's rows and packed copy those of the answer. Throws ForeignAnswerError, or the storage's own error; the
   * rows held before stay whole.
   */
  replace(replacement: Replacement, onRows: RowsWritten): Promise<PackedProducts>;
  /** Packs what the rows hold; null where they are not whole. */
  pack(storeId: string, now: string): Promise<PackedProducts | null>;
}

function readAnswer(body: readonly Uint8Array[]): z.infer<typeof productMap.answer> {
  try {
    const decoder = new TextDecoder();
    const text = body.map((piece) => decoder.decode(piece, { stream: true })).join("");
    return z.parse(productMap.answer, JSON.parse(text + decoder.decode()));
  } catch (error) {
    throw new ForeignAnswerError(error);
  }
}

/** Does the work where it is called. */
export function createProductWriter(database: StocktakeDatabase): ProductWriter {
  return {
    replace: async ({ storeId, body, ...how }, onRows) =>
      replaceProducts(database, storeId, readAnswer(body), how, onRows),
    pack: (storeId, now) => packStoredProducts(database, storeId, now),
  };
}
