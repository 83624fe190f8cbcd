import { createHash } from "node:crypto";
import { setImmediate as letOthersGoOn } from "node:timers/promises";
import { beginPackedTables, type PackedTables, type ProductIndex, packedIndex } from "@stocktake/contract";
import * as z from "zod/mini";
import type { Transaction } from "../database/pool.ts";
import { PackedTexts } from "../kernel/packed-texts.ts";
import type { SessionProduct } from "./products.ts";
import { readProductsInTurn, type SessionProductRow } from "./session-product-queries.ts";

/** The products of a session as they are kept in memory: each a line, by the number of its row. */
export interface SessionProducts {
  readonly lines: PackedTexts;
  /** Equal where all products are. */
  readonly digest: string;
}

/** Some milliseconds' work: the first scan of a session waits for all of them, and nobody else's. */
const productsAtOnce = 1_000;

const Line = z.tuple([
  z.string(),
  z.nullable(z.string()),
  z.nullable(z.string()),
  z.string(),
  z.nullable(z.string()),
]);

/** Reads what a session's scans are matched against. */
export async function readSessionProducts(
  transaction: Transaction,
  sessionId: string,
): Promise<SessionProducts> {
  const lines = new PackedTexts();
  const hash = createHash("sha256");
  for await (const some of readProductsInTurn(transaction, sessionId, productsAtOnce)) {
    for (const row of some) {
      const line = lineOf(row);
      lines.add(line);
      hash.update(line);
    }
  }
  return { lines, digest: hash.digest("base64") };
}

function lineOf({ sku, plainSku, barcode, productTitle, size }: SessionProductRow): string {
  const line: z.infer<typeof Line> = [sku, plainSku, barcode, productTitle, size];
  return JSON.stringify(line);
}

function productOf(line: string): SessionProduct {
  const [sku, plainSku, barcode, productTitle, size] = z.parse(Line, JSON.parse(line));
  return { sku, ...(plainSku === null ? {} : { plainSku }), barcode, productTitle, size };
}

/** Makes the tables by which the products are found; they stay where they are. */
export async function indexSessionProducts({
  lines,
}: SessionProducts): Promise<ProductIndex<SessionProduct>> {
  const productAt = (row: number) => productOf(lines.at(row));
  return packedIndex(await tablesOf(lines.length, productAt), productAt);
}

async function tablesOf(rows: number, productAt: (row: number) => SessionProduct): Promise<PackedTables> {
  const { add, tables } = beginPackedTables();
  for (let row = 0; row < rows; row += 1) {
    if (row % productsAtOnce === productsAtOnce - 1) await letOthersGoOn();
    add(productAt(row));
  }
  const steps = tables();
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await letOthersGoOn();
  }
}
