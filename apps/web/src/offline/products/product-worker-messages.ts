import * as z from "zod/mini";
import { PackedProducts } from "./packed-products.ts";
import { Bytes } from "./typed-arrays.ts";

/** What the page asks of the worker; each worker is asked once. */
export const WorkerRequest = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("replace"),
    storeId: z.string(),
    body: z.array(Bytes),
    isWhole: z.boolean(),
    now: z.string(),
  }),
  z.object({ kind: z.literal("pack"), storeId: z.string(), now: z.string() }),
]);
export type WorkerRequest = z.infer<typeof WorkerRequest>;

/** What the worker says: how far it is, as often as it likes, and then how it ended. */
export const WorkerReport = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("rows"), written: z.int(), of: z.int() }),
  z.object({ kind: z.literal("done"), packed: z.nullable(PackedProducts) }),
  z.object({ kind: z.literal("foreign_answer") }),
  z.object({ kind: z.literal("failed"), error: z.unknown() }),
]);
export type WorkerReport = z.infer<typeof WorkerReport>;
