import { productMap } from "@stocktake/contract";
import * as z from "zod/mini";
import type { StocktakeDatabase } from "../database/database.ts";
import type { PackedProducts } from "./packed-products.ts";
import { packStoredProducts, replaceProducts } from "./product-store.ts";

/** The body of a response is not the server's: truncated, or sent by a proxy in its place. */
export class ForeignAnswerError extends Error {
  constructor(cause?: unknown) {
    super("The response is not the server's.", { cause });
    this.name = "ForeignAnswerError";
  }
}

/** Called with how many of the rows to be written have been written. */
type RowsWritten = (written: number, of: number) => void;

/** A response of `productMap` to store. */
interface Replacement {
  readonly storeId: string;
  /** Its bytes as received: they are transferred and cannot be read afterwards. */
  readonly body: Uint8Array<ArrayBuffer>[];
  /** True where the store has as many rows as its last sync wrote: then only differences are written. */
  readonly isComplete: boolean;
  /** ISO 8601. */
  readonly now: string;
}

/** The slow work on a store's products: in the browser a worker does it, so that scanning continues. */
export interface ProductWriter {
  /**
   * Replaces the store's rows and packed copy with those of the response. Throws ForeignAnswerError, or the storage's own
   * error; the previous rows stay intact.
   */
  replace(replacement: Replacement, onRows: RowsWritten): Promise<PackedProducts>;
  /** Packs the stored rows; null where they are not complete. */
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

/** Does the work on the calling thread. */
export function createProductWriter(database: StocktakeDatabase): ProductWriter {
  return {
    replace: async ({ storeId, body, ...options }, onRows) =>
      replaceProducts(database, storeId, readAnswer(body), options, onRows),
    pack: (storeId, now) => packStoredProducts(database, storeId, now),
  };
}
