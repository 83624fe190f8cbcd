import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { limits } from "../limits.ts";
import { pageAnswer, pageQuery } from "../paging.ts";
import { scanUnitsFrom, Timestamp } from "../primitives.ts";
import { requiredKey, Sku } from "../text.ts";

/** A code on a pack, as devices hold it. */
export const Pack = z.object({ code: z.string(), sku: z.string(), units: z.int() });
export type Pack = z.infer<typeof Pack>;

/** A code on a pack, as the administrator keeps it. */
export const KeptPack = z.extend(Pack, {
  /** Null where the product is not in the shop any more: then the code fits nothing. */
  productTitle: z.nullable(z.string()),
  size: z.nullable(z.string()),
  /** The products that have the code as their own by now: they are counted, and not the pack. */
  ownCodeOf: z.array(z.string()),
  changedAt: Timestamp,
  changedBy: z.string(),
});
export type KeptPack = z.infer<typeof KeptPack>;

export const PackCodeInput = requiredKey("The pack's code", limits.scanInput);

/** 0 takes the code out again. */
export const PackUnits = scanUnitsFrom(0);

export const listPacks = defineCall({
  method: "GET",
  path: "/api/packs",
  access: "admin",
  summary: "The codes of packs, in the order of the codes",
  query: z.object(pageQuery),
  answer: z.object({ packs: z.array(KeptPack), ...pageAnswer }),
});

export const savePacks = defineCall({
  method: "POST",
  path: "/api/packs",
  access: "admin",
  summary: "Add codes of packs, change them, or take them out with 0 units: all or none",
  body: z.object({
    packs: z
      .array(z.object({ code: PackCodeInput, sku: Sku, units: PackUnits }), "At least one pack is required.")
      .check(
        z.minLength(1, "At least one pack is required."),
        z.maxLength(limits.packsPerCall, `At most ${limits.packsPerCall} packs can be saved at a time.`),
      ),
  }),
  answer: z.object({ added: z.int(), changed: z.int(), removed: z.int() }),
  refusals: ["PACK_CODE_TAKEN"],
  events: ["catalogue"],
});
