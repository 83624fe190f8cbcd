import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { limits } from "../limits.ts";
import { pageAnswer, pageQuery } from "../paging.ts";
import { Id, IdInput, Success, Timestamp } from "../primitives.ts";
import { requiredKey, requiredName } from "../text.ts";

export const Store = z.object({
  _id: Id,
  name: z.string(),
  shopifyLocationId: z.string(),
  isActive: z.boolean(),
  createdAt: Timestamp,
});
export type Store = z.infer<typeof Store>;

/** A location of the Shopify shop; `id` is the GID. Ours is `Location`. */
export const ShopifyLocation = z.object({ id: z.string(), name: z.string() });
export type ShopifyLocation = z.infer<typeof ShopifyLocation>;

const ShopifyLocationId = requiredKey("Shopify location", limits.shopifyLocationId);

export const listStores = defineCall({
  method: "GET",
  path: "/api/stores",
  access: "signed-in",
  summary: "Stores that the caller can access",
  query: z.object(pageQuery),
  answer: z.object({ stores: z.array(Store), ...pageAnswer }),
});

export const createStore = defineCall({
  method: "POST",
  path: "/api/stores",
  access: "admin",
  summary: "Add a store for a Shopify location",
  status: 201,
  body: z.object({ name: requiredName("Store name"), shopifyLocationId: ShopifyLocationId }),
  answer: z.object({ store: Store }),
  refusals: ["SHOPIFY_LOCATION_IN_USE", "PLATFORM_ERROR", "PLATFORM_UNAVAILABLE"],
  events: ["store"],
});

export const updateStore = defineCall({
  method: "PUT",
  path: "/api/stores/:id",
  access: "admin",
  summary: "Change a store's name, Shopify location or activity",
  params: z.object({ id: IdInput }),
  body: z.object({
    name: z.optional(requiredName("Store name")),
    shopifyLocationId: z.optional(ShopifyLocationId),
    isActive: z.optional(z.boolean("isActive must be true or false.")),
  }),
  answer: z.object({ store: Store }),
  refusals: ["SESSION_ACTIVE", "SHOPIFY_LOCATION_IN_USE", "PLATFORM_ERROR", "PLATFORM_UNAVAILABLE"],
  events: ["store"],
});

export const deleteStore = defineCall({
  method: "DELETE",
  path: "/api/stores/:id",
  access: "admin",
  summary: "Hide a store; its reports stay",
  params: z.object({ id: IdInput }),
  answer: Success,
  refusals: ["SESSION_ACTIVE"],
  events: ["store"],
});

export const listShopifyLocations = defineCall({
  method: "GET",
  path: "/api/stores/shopify-locations",
  access: "admin",
  summary: "The active locations of the Shopify shop",
  answer: z.object({ locations: z.array(ShopifyLocation) }),
  refusals: ["PLATFORM_ERROR", "PLATFORM_UNAVAILABLE"],
});
