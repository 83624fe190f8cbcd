import * as z from "zod/mini";

/** SKUs and what goes of them. Units are on hand. */
export const ZeroedStock = z.object({
  items: z.int(),
  units: z.int(),
  /**
   * What the units cost, in the shop's currency; SKUs of unknown cost are left out and numbered. Null where the sum is too
   * large to be shown exactly.
   */
  cost: z.nullable(z.number()),
  withoutCost: z.int(),
  /** Of the items, those of which Shopify has less than none, and by how many units they are raised; absent where there are none. */
  belowZero: z.optional(
    z.object({
      items: z.int(),
      units: z.int(),
      /** What these units cost, SKUs of unknown cost left out; null where the sum can't be shown exactly. Absent from an older server. */
      cost: z.optional(z.nullable(z.number())),
    }),
  ),
});
export type ZeroedStock = z.infer<typeof ZeroedStock>;

/**
 * SKUs with stock that nobody counted and that a deploy zeroes, at once or by the extra choice, without those that were
 * searched for and are not there.
 */
export const UncountedStock = z.extend(ZeroedStock, {
  /** What a deploy that zeroes them wants as `confirmUnits`; null where so little needs no confirmation. */
  confirmUnits: z.nullable(z.int()),
  /** The ten that are worth most. */
  largest: z.array(
    z.object({
      sku: z.string(),
      productTitle: z.string(),
      size: z.nullable(z.string()),
      units: z.int(),
      cost: z.nullable(z.number()),
    }),
  ),
});
export type UncountedStock = z.infer<typeof UncountedStock>;

/** What a deploy zeroes that was searched for and is not there. */
export const SearchedStock = z.extend(ZeroedStock, {
  /** Who has said so, or decided it, and of how many SKUs each: the most first. */
  people: z.array(z.object({ username: z.string(), items: z.int() })),
  /**
   * What of it one temporary counter alone has said, where that is as much as would have to be confirmed of what nobody looked for. It wants
   * no number: whoever deploys is to see whose word it is. Null where there is none.
   */
  onOneWord: z.nullable(
    z.extend(ZeroedStock, {
      /** Whose word it is, and of how much. Absent from an older server. */
      people: z.optional(z.array(z.object({ username: z.string(), items: z.int(), units: z.int() }))),
    }),
  ),
});
export type SearchedStock = z.infer<typeof SearchedStock>;

/** What moves, units up and down apart. */
export const MovingStock = z.object({
  above: z.int(),
  /** 0 or less. */
  below: z.int(),
  /** At cost, in the shop's currency, SKUs of unknown cost left out; null where none of their costs is known, or the sum is too large to be shown exactly. */
  cost: z.nullable(z.number()),
  withoutCost: z.int(),
});
export type MovingStock = z.infer<typeof MovingStock>;

/**
 * SKUs among what is left out that were found and that `stockFound` would stock here, what their stock changes by in all, and up and
 * down (absent from an older server): a level that is not stocked may keep more than was counted.
 */
export const FoundStock = z.object({
  items: z.int(),
  units: z.int(),
  skus: z.array(z.string()),
  moving: z.optional(MovingStock),
  /**
   * Of them those of which such a level keeps stock that the report does not know, and that stock: only what is missing of the count is moved.
   * Absent where there is none, and from an older server.
   */
  keptUnseen: z.optional(z.object({ items: z.int(), units: z.int() })),
});
