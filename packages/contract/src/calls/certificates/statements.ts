import * as z from "zod/mini";
import { Timestamp } from "../../primitives.ts";

/** Why an administrator holds something of a session, who said so and when. */
export const Said = z.object({
  reason: z.string(),
  by: z.string(),
  at: Timestamp,
  /** It holds; otherwise what has come since contradicts it. */
  holds: z.boolean(),
});

/** A check of a body: what is said, and not taken back, has a reason. */
export function requiresReason<Body extends { readonly reason?: string | null | undefined }>(
  isSaid: (body: Body) => boolean,
) {
  return z.refine<Body>((body) => !isSaid(body) || Boolean(body.reason), {
    error: "Reason is required.",
    path: ["reason"],
  });
}
