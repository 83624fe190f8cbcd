import * as z from "zod/mini";

/** What a report has in scope and nobody has scanned. */
export const NotCounted = z.object({
  /** SKUs. */
  items: z.int(),
  /** The units of those that have some on hand. */
  units: z.int(),
  /** The cost impact of zeroing all of them (negative: a loss); null where it is too large to be shown exactly. */
  cost: z.nullable(z.number()),
  /** How many of them have less than nothing on hand, which lies nowhere; absent for none. */
  belowZero: z.optional(z.int()),
});
