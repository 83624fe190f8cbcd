import * as z from "zod/mini";
import { limits } from "../../limits.ts";
import { Sku } from "../../text.ts";

const tooMany = `At most ${limits.skusToCountAgain} SKUs can be counted again at a time.`;

/** SKUs that are to be counted again, in a second count or a follow-up. */
export const SkusToCountAgain = z
  .array(Sku)
  .check(z.minLength(1, "Name at least one SKU."), z.maxLength(limits.skusToCountAgain, tooMany));
