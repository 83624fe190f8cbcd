import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { Id, Success } from "../primitives.ts";

const Part = z.object({ status: z.enum(["ok", "unavailable", "not_configured"]), message: z.string() });

/** `status` is `ok` while the database answers; Shopify and sync are fields of a result kept 15 s. */
export const Health = z.object({
  status: z.enum(["ok", "unavailable"]),
  database: Part,
  shopify: Part,
  sync: Part,
  mail: Part,
  demo: z.boolean(),
  version: z.string(),
});
export type Health = z.infer<typeof Health>;

export const health = defineCall({
  method: "GET",
  path: "/api/health",
  access: "public",
  summary: "Whether the parts answer; 503 only when the database is gone",
  answer: Health,
});

export const ready = defineCall({
  method: "GET",
  path: "/api/ready",
  access: "public",
  summary: "Whether this node takes requests",
  answer: Health,
});

/** What changed; ids only, so that a client reads again what it may see. */
export const LiveEvent = z.object({
  type: z.enum(["session", "area", "scan", "invitation", "adjustment", "catalogue", "store"]),
  sessionId: z.optional(Id),
  storeId: z.optional(Id),
  areaId: z.optional(Id),
  pass: z.optional(z.int()),
});
export type LiveEvent = z.infer<typeof LiveEvent>;

export const events = defineCall({
  method: "GET",
  path: "/api/events",
  access: "signed-in",
  summary: "Server-sent events of what changed, only what the caller may see",
});

export const shopifyWebhook = defineCall({
  method: "POST",
  path: "/api/webhooks/shopify",
  access: "public",
  summary: "A hint of Shopify's that something changed; signed by HMAC",
  answer: Success,
});
