import { z } from "zod";
import { jsonOrUndefined } from "../kernel/json.ts";
import { type BulkSource, bulkLines, type ReadingSource } from "./bulk.ts";
import { bulkLevels, changedLevelsQuery } from "./documents.ts";
import { PlatformRejectedError } from "./errors.ts";
import { type LiveLevel, levelSchema, liveLevel } from "./levels.ts";
import { pageSchema, pagesOf } from "./pages.ts";
import type { ShopifyTransport } from "./transport.ts";

/** A level that has changed, with what it holds now. */
export interface ChangedLevel extends LiveLevel {
  inventoryItemId: string;
  /** ISO 8601, whole seconds; said of an inactive level too. */
  updatedAt: string;
}

/**
 * The levels of a location that changed after a moment of Shopify's clock, in batches. The platform's times are whole
 * seconds, so the search begins a second early; a level may come twice.
 *
 * A system beside the shop may set its whole stock at once. A list stops at 25,000 rows, and long before that its pages take
 * longer than a bulk operation does.
 */
export async function* readChangedLevels(
  source: ReadingSource,
  shopifyLocationId: string,
  since: Date,
  signal?: AbortSignal,
): AsyncGenerator<ChangedLevel[], void, undefined> {
  const from = new Date(since.getTime() - 1000);
  let found = 0;
  for await (const levels of searchedLevels(source.transport, shopifyLocationId, from, signal)) {
    yield levels;
    found += levels.length;
    if (found <= source.bulkAbove) continue;
    yield* exportedLevels(source, shopifyLocationId, from, signal);
    return;
  }
}

const searchedSchema = levelSchema.extend({ item: z.object({ id: z.string(), tracked: z.boolean() }) });

const searchAnswerSchema = z.object({
  location: z.object({ inventoryLevels: pageSchema(searchedSchema) }).nullable(),
});

async function* searchedLevels(
  transport: ShopifyTransport,
  shopifyLocationId: string,
  from: Date,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChangedLevel[], void, undefined> {
  const search = `updated_at:>'${from.toISOString()}'`;
  const pages = pagesOf(async (first, after) => {
    const variables = { shopifyLocationId, first, after, search };
    const request = { document: changedLevelsQuery, variables, answer: searchAnswerSchema, signal };
    const { location } = await transport.read(request);
    if (location) return location.inventoryLevels;
    throw new PlatformRejectedError("rejected", `the location ${shopifyLocationId} no longer exists`);
  });
  for await (const nodes of pages) yield nodes.map(({ item, ...level }) => changedLevel(item, level));
}

const exportedSchema = z.object({
  inventoryItem: z.object({ id: z.string(), tracked: z.boolean(), inventoryLevel: levelSchema.nullish() }),
});

async function* exportedLevels(
  source: BulkSource,
  shopifyLocationId: string,
  from: Date,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChangedLevel[], void, undefined> {
  const options = { ...source, signal, onExported: () => undefined };
  for await (const lines of bulkLines(bulkLevels(shopifyLocationId), options)) {
    yield lines.flatMap((line) => {
      const node = exportedSchema.safeParse(jsonOrUndefined(line));
      if (!node.success)
        throw new PlatformRejectedError("unexpected-answer", `a line of the export: ${node.error.message}`);
      const { inventoryLevel: level, ...item } = node.data.inventoryItem;
      return level && Date.parse(level.updatedAt) > from.getTime() ? [changedLevel(item, level)] : [];
    });
  }
}

function changedLevel(
  item: { readonly id: string; readonly tracked: boolean },
  level: z.infer<typeof levelSchema>,
): ChangedLevel {
  return {
    inventoryItemId: item.id,
    updatedAt: level.updatedAt,
    // As the snapshots have it: what is not stocked has nothing on hand.
    ...liveLevel(item.tracked, level.isActive ? level : null),
  };
}
