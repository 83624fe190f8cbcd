import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { Id, IdInput } from "../primitives.ts";
import { Pack } from "./packs.ts";

/**
 * A product as a counting device holds it: never a quantity or a cost, because the count is blind.
 * `sku` is unique in the map: a variant whose SKU is empty or shared carries SKU + "#" + its variant number there,
 * and the SKU on its label in `plainSku`.
 */
export const Product = z.object({
  sku: z.string(),
  plainSku: z.optional(z.string()),
  barcode: z.nullable(z.string()),
  productTitle: z.string(),
  size: z.nullable(z.string()),
  image: z.nullable(z.string()),
  storeId: Id,
});
export type Product = z.infer<typeof Product>;

export const productMap = defineCall({
  method: "GET",
  path: "/api/products/map",
  access: "signed-in",
  summary: "Every product of the shop, for matching on the device; 304 for a current If-None-Match",
  query: z.object({ storeId: IdInput }),
  answer: z.object({
    products: z.array(Product),
    /** The codes of packs. Absent from an older server. */
    packs: z.optional(z.array(Pack)),
    etag: z.string(),
  }),
  refusals: ["PLATFORM_ERROR", "PLATFORM_UNAVAILABLE"],
});
