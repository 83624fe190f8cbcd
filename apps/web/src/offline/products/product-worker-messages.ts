import * as z from "zod/mini";
import { PackedProducts } from "./packed-products.ts";
import { Bytes } from "./typed-arrays.ts";

/** A request of the page; each worker gets one. */
export const WorkerRequest = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("replace"),
    storeId: z.string(),
    body: z.array(Bytes),
    isComplete: z.boolean(),
    now: z.string(),
  }),
  z.object({ kind: z.literal("pack"), storeId: z.string(), now: z.string() }),
]);
export type WorkerRequest = z.infer<typeof WorkerRequest>;

/** Messages of the worker: any number of progress reports, then its result. */
export const WorkerReport = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("rows"), written: z.int(), of: z.int() }),
  z.object({ kind: z.literal("done"), packed: z.nullable(PackedProducts) }),
  z.object({ kind: z.literal("foreign_answer") }),
  z.object({ kind: z.literal("failed"), error: z.unknown() }),
]);
export type WorkerReport = z.infer<typeof WorkerReport>;
