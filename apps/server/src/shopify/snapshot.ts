import { setImmediate as letOthersGoOn } from "node:timers/promises";
import { z } from "zod";
import { jsonOrUndefined } from "../kernel/json.ts";
import { bulkLines, type ReadingSource } from "./bulk.ts";
import {
  bulkCatalogueQuery,
  bulkSnapshot,
  cataloguePageQuery,
  variantsCountQuery,
  variantsPageQuery,
} from "./documents.ts";
import { PlatformRejectedError } from "./errors.ts";
import { pageSchema, pagesOf } from "./pages.ts";
import type { ShopifyTransport } from "./transport.ts";
import { type VariantRecord, variantNodeSchema, variantRecord } from "./variants.ts";

export interface SnapshotOptions {
  /** The location whose stock is read; null reads the catalogue alone. */
  shopifyLocationId: string | null;
  signal?: AbortSignal | undefined;
  /**
   * How far it is, never going back: the variants read or, while a bulk operation runs, exported so far, of
   * how many; null where nobody knows.
   */
  onProgress?: ((done: number, of: number | null) => void) | undefined;
}

const rowsPerBatch = 500;

/**
 * All variants of the shop in batches, each variant once. It is not a point in time: the platform goes on
 * selling while it is read. Nothing read is whole until the iteration has ended without an error.
 */
export async function* readSnapshot(
  source: ReadingSource,
  options: SnapshotOptions,
): AsyncGenerator<VariantRecord[], void, undefined> {
  const of = await countVariants(source.transport, options.signal);
  let furthest = 0;
  const report = (done: number): void => {
    furthest = Math.max(furthest, done);
    options.onProgress?.(furthest, of);
  };
  report(0);
  // Lists stop at 25,000 rows: where the number is not known, only the bulk operation is sure to be whole.
  const byBulk = of === null || of > source.bulkAbove;
  let done = 0;
  for await (const batch of byBulk ? bulkBatches(source, options, report) : pageBatches(source, options)) {
    done += batch.length;
    report(done);
    yield batch;
  }
}

const countAnswerSchema = z.object({
  productVariantsCount: z.object({ count: z.int(), precision: z.string() }).nullish(),
});

async function countVariants(
  transport: ShopifyTransport,
  signal: AbortSignal | undefined,
): Promise<number | null> {
  const request = { document: variantsCountQuery, variables: {}, answer: countAnswerSchema, signal };
  const { productVariantsCount: counted } = await transport.read(request);
  return counted?.precision === "EXACT" ? counted.count : null;
}

const pageAnswerSchema = z.object({ productVariants: pageSchema(variantNodeSchema) });

async function* pageBatches(
  { transport }: ReadingSource,
  { shopifyLocationId, signal }: SnapshotOptions,
): AsyncGenerator<VariantRecord[], void, undefined> {
  const document = shopifyLocationId === null ? cataloguePageQuery : variantsPageQuery;
  const location = shopifyLocationId === null ? {} : { shopifyLocationId };
  const pages = pagesOf(async (first, after) => {
    const variables = { first, after, ...location };
    return (await transport.read({ document, variables, answer: pageAnswerSchema, signal })).productVariants;
  });
  for await (const nodes of pages) yield nodes.map(variantRecord);
}

async function* bulkBatches(
  { transport, clock, timeouts }: ReadingSource,
  { shopifyLocationId, signal }: SnapshotOptions,
  onExported: (rows: number) => void,
): AsyncGenerator<VariantRecord[], void, undefined> {
  const query = shopifyLocationId === null ? bulkCatalogueQuery : bulkSnapshot(shopifyLocationId);
  const batch: VariantRecord[] = [];
  for await (const lines of bulkLines(query, { transport, clock, timeouts, signal, onExported })) {
    for (const line of lines) batch.push(variantOfLine(line));
    while (batch.length >= rowsPerBatch) yield batch.splice(0, rowsPerBatch);
    // More of the download may be here already, and would be next before anybody else's work.
    await letOthersGoOn();
  }
  if (batch.length > 0) yield batch;
}

function variantOfLine(line: string): VariantRecord {
  const node = variantNodeSchema.safeParse(jsonOrUndefined(line));
  if (node.success) return variantRecord(node.data);
  throw new PlatformRejectedError("unexpected-answer", `a line of the export: ${node.error.message}`);
}
