import { z } from "zod";
import { PlatformRejectedError } from "./errors.ts";

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
