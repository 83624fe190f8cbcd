import { z } from "zod";
import { liveLevelsQuery, rowsPerCall } from "./documents.ts";
import { PlatformRejectedError } from "./errors.ts";
import { unlessTooCostly } from "./pages.ts";
import type { ShopifyTransport } from "./transport.ts";

/** The quantities of a level, by name. Shopify's Int has 32 bits. */
export const quantitiesSchema = z.array(
  z.object({ name: z.string(), quantity: z.int32(), updatedAt: z.string().nullish() }),
);

/** A quantity that was asked for. Throws where the answer lacks it: a missing figure is not a zero. */
export function quantityNamed(
  name: "on_hand" | "available" | "committed",
  quantities: z.infer<typeof quantitiesSchema>,
): number {
  const found = quantities.find((quantity) => quantity.name === name);
  if (found) return found.quantity;
  throw new PlatformRejectedError("unexpected-answer", `a level without its quantity ${name}`);
}

/** The stock of an inventory item at one location, now. */
export interface LiveLevel {
  tracked: boolean;
  /** Whether there is an active level. An inactive one keeps its quantities, which can be adjusted all the same. */
  stocked: boolean;
  /** The three are 0 where there is no level at all. */
  onHand: number;
  available: number;
  committed: number;
  /** When `available` last moved, ISO 8601 in whole seconds; null where the platform does not say. */
  availableUpdatedAt: string | null;
  /** When the level was last changed in any way, ISO 8601 in whole seconds; null where it is not stocked. */
  levelUpdatedAt: string | null;
}

/** A level with the quantities that a LiveLevel is made of. */
export const levelSchema = z.object({
  isActive: z.boolean(),
  updatedAt: z.string(),
  quantities: quantitiesSchema,
});

const itemSchema = z.object({ id: z.string(), tracked: z.boolean(), inventoryLevel: levelSchema.nullish() });

// An id of another type returns {}: it is as little an inventory item as one that is gone. Strict, so that
// a malformed item is an error and not taken for a deleted one.
const notAnItem = z
  .strictObject({})
  .nullable()
  .transform(() => null);

const liveAnswerSchema = z.object({ nodes: z.array(z.union([itemSchema, notAnItem])) });

/**
 * Reads the levels of inventory items at a location, 250 in a call.
 *
 * @returns for every id its level, or null where the item no longer exists
 */
export async function readLiveLevels(
  transport: ShopifyTransport,
  shopifyLocationId: string,
  inventoryItemIds: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, LiveLevel | null>> {
  const levels = new Map<string, LiveLevel | null>(inventoryItemIds.map((id) => [id, null]));
  const left = [...levels.keys()];
  let rows = rowsPerCall;
  while (left.length > 0) {
    const ids = left.slice(0, rows);
    const items = await unlessTooCostly(ids.length, () =>
      readItems(transport, shopifyLocationId, ids, signal),
    );
    if (items === "too-costly") {
      rows = Math.ceil(ids.length / 2);
      continue;
    }
    for (const item of items) levels.set(item.id, liveLevel(item.tracked, item.inventoryLevel));
    left.splice(0, ids.length);
  }
  return levels;
}

async function readItems(
  transport: ShopifyTransport,
  shopifyLocationId: string,
  ids: readonly string[],
  signal: AbortSignal | undefined,
): Promise<z.infer<typeof itemSchema>[]> {
  const variables = { ids, shopifyLocationId };
  const answer = await transport.read({
    document: liveLevelsQuery,
    variables,
    answer: liveAnswerSchema,
    signal,
  });
  if (answer.nodes.length !== ids.length) {
    throw new PlatformRejectedError(
      "unexpected-answer",
      `${answer.nodes.length} nodes for ${ids.length} ids`,
    );
  }
  return answer.nodes.filter((node) => node !== null);
}

const noStock = { onHand: 0, available: 0, committed: 0, availableUpdatedAt: null, levelUpdatedAt: null };

/** The stock of an item by its level; null and undefined where it has none. */
export function liveLevel(
  tracked: boolean,
  level: z.infer<typeof levelSchema> | null | undefined,
): LiveLevel {
  if (!level) return { tracked, stocked: false, ...noStock };
  const { isActive: stocked, quantities } = level;
  return {
    tracked,
    stocked,
    onHand: quantityNamed("on_hand", quantities),
    available: quantityNamed("available", quantities),
    committed: quantityNamed("committed", quantities),
    availableUpdatedAt: quantities.find(({ name }) => name === "available")?.updatedAt ?? null,
    levelUpdatedAt: level.updatedAt,
  };
}
