import * as z from "zod/mini";
import { Id } from "./primitives.ts";

export const EventType = z.enum([
  "session",
  "area",
  "scan",
  "invitation",
  "adjustment",
  "catalogue",
  "store",
]);
export type EventType = z.infer<typeof EventType>;

/** What changed; ids only, so that a client reads again what it may see. */
export const LiveEvent = z.object({
  type: EventType,
  sessionId: z.optional(Id),
  storeId: z.optional(Id),
  areaId: z.optional(Id),
  pass: z.optional(z.int()),
});
export type LiveEvent = z.infer<typeof LiveEvent>;
