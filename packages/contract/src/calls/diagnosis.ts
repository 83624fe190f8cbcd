import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { Timestamp } from "../primitives.ts";

/** What is looked at. `server` is whether one runs at all, and only `npm run doctor` looks at it. */
export const CheckName = z.enum([
  "configuration",
  "server",
  "database",
  "disk",
  "shopify",
  "scopes",
  "clock",
  "products",
  "address",
  "webhooks",
  "mail",
]);
export type CheckName = z.infer<typeof CheckName>;

/**
 * What one look found: `failed` is something that does not work, `warning` something that will not go well one day,
 * `not_configured` something that is left out on purpose or by mistake. `advice` says what to do about it.
 */
export const Finding = z.object({
  check: CheckName,
  status: z.enum(["ok", "warning", "failed", "not_configured"]),
  message: z.string(),
  advice: z.nullable(z.string()),
});
export type Finding = z.infer<typeof Finding>;

export const Diagnosis = z.object({ checkedAt: Timestamp, findings: z.array(Finding) });
export type Diagnosis = z.infer<typeof Diagnosis>;

export const diagnosis = defineCall({
  method: "GET",
  path: "/api/diagnosis",
  access: "admin",
  summary:
    "Looks at configuration, database, disk, Shopify, webhooks and mail, and says what to do about each",
  answer: Diagnosis,
});
