import { GraphQLError } from "graphql";
import { type Level, onHand, type UserError, type Variant } from "../entities.ts";
import type { Store } from "../store.ts";

export interface ActivateInput {
  readonly inventoryItemId: string;
  readonly locationId: string;
  readonly available?: number | null;
  readonly onHand?: number | null;
}

interface Activated {
  readonly variant: Variant | null;
  readonly level: Level | null;
  readonly userErrors: readonly Pick<UserError, "field" | "message">[];
}

function refused(field: string, message: string): Activated {
  return { variant: null, level: null, userErrors: [{ field: [field], message }] };
}

/**
 * inventoryActivate: stocks an item at a location. Without a quantity the level keeps what it had; a level that never
 * was begins at zero. One that is active already stays as it is, and takes no quantity.
 */
export function activate(
  input: ActivateInput,
  { store, now, key }: { readonly store: Store; readonly now: number; readonly key: string | undefined },
): Activated {
  if (key === undefined || key.trim() === "") {
    const message = "The @idempotent directive is required for this mutation but was not provided.";
    throw new GraphQLError(message, { extensions: { code: "BAD_REQUEST" } });
  }
  const { inventoryItemId: itemId, locationId } = input;
  const variant = store.items.get(itemId);
  if (!variant) return refused("inventoryItemId", "The specified inventory item could not be found.");
  if (store.location(locationId)?.isActive !== true) {
    return refused("locationId", "The specified location could not be found.");
  }
  const wanted = input.available ?? input.onHand ?? null;
  const before = store.level(variant, locationId);
  if (before?.isActive === true) {
    if (wanted === null) return { variant, level: before, userErrors: [] };
    const message = "Not allowed to set available quantity when the item is already active at the location.";
    return refused("available", message);
  }
  store.commit({ type: "levelSwitched", at: now, itemId, locationId, isActive: true });
  const level = store.level(variant, locationId);
  if (level !== null && wanted !== null) {
    const held = typeof input.available === "number" ? level.quantities.available : onHand(level.quantities);
    const rows = [{ itemId, locationId, name: "available" as const, delta: wanted - held }];
    store.commit({ type: "moved", at: now, cause: "set", rows });
  }
  return { variant, level, userErrors: [] };
}
