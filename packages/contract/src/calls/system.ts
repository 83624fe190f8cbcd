import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { Success, Timestamp } from "../primitives.ts";

const Part = z.object({ status: z.enum(["ok", "unavailable", "not_configured"]), message: z.string() });

/** `status` is `ok` while the database can be reached; Shopify and sync are fields of a result cached for 15 s. */
export const Health = z.object({
  status: z.enum(["ok", "unavailable"]),
  database: Part,
  shopify: Part,
  sync: Part,
  mail: Part,
  demo: z.boolean(),
  version: z.string(),
  /**
   * Which life of the installation this is: a restore begins a new one. Null while the database can't be reached. The same
   * is in the header `x-stocktake-epoch` of every answer under /api.
   */
  epoch: z.nullable(z.string()),
  /**
   * Since when Shopify's levels could not be read for a session that counts, the longest of all; null where there is none. Then
   * `sync` is `unavailable` and says what it means.
   */
  stockUnreadSince: z.optional(z.nullable(Timestamp)),
});
export type Health = z.infer<typeof Health>;

export const health = defineCall({
  method: "GET",
  path: "/api/health",
  access: "public",
  summary: "Whether its parts can be reached; 503 only when the database is gone",
  answer: Health,
});

/** What the server talks to, by name: never a password, a token or a path. */
export const Connections = z.object({
  /** `name` is host and database of a server of its own; null for the embedded one. */
  database: z.object({ kind: z.enum(["embedded", "server"]), name: z.nullable(z.string()) }),
  /** Null where no shop is configured. `name`, `currency` and `productsReadAt` are null until its first contact. */
  shopify: z.nullable(
    z.object({
      shop: z.string(),
      server: z.string(),
      name: z.nullable(z.string()),
      currency: z.nullable(z.string()),
      productsReadAt: z.nullable(Timestamp),
      webhooks: z.boolean(),
      /** By how many seconds Shopify's clock is ahead of ours, negative where behind; null before it has told its time. */
      clockAheadSeconds: z.nullable(z.number()),
    }),
  ),
  /** Null where invitations go to the outbox. */
  mail: z.nullable(z.object({ server: z.string(), from: z.string() })),
  /** The address that links in mails begin with; null where it is each request's own. */
  address: z.nullable(z.string()),
});
export type Connections = z.infer<typeof Connections>;

export const connections = defineCall({
  method: "GET",
  path: "/api/connections",
  access: "admin",
  summary: "Which database, shop and mail server this server talks to, without secrets",
  answer: Connections,
});

export const ready = defineCall({
  method: "GET",
  path: "/api/ready",
  access: "public",
  summary: "Whether this node takes requests",
  answer: Health,
});

export const events = defineCall({
  method: "GET",
  path: "/api/events",
  access: "signed-in",
  summary: "Server-sent events of what changed, only what the caller may see",
  media: "text/event-stream",
  refusals: ["OVERLOADED"],
});

export const shopifyWebhook = defineCall({
  method: "POST",
  path: "/api/webhooks/shopify",
  access: "public",
  summary: "A hint of Shopify's that something changed; signed by HMAC",
  answer: Success,
  events: [],
});
