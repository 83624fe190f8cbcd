import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { Id, IdInput, Success, Timestamp } from "../primitives.ts";

/**
 * A browser that somebody is signed in with. `browser` is what it says of itself ("Chrome on Android"), null where it said
 * nothing or signed in before this was kept. `lastSeenAt` is right to a few minutes.
 */
export const Login = z.object({
  _id: Id,
  browser: z.nullable(z.string()),
  signedInAt: Timestamp,
  lastSeenAt: Timestamp,
  endsAt: z.nullable(Timestamp),
  /** Whether it is the one that asks. */
  isThisOne: z.boolean(),
});
export type Login = z.infer<typeof Login>;

export const listLogins = defineCall({
  method: "GET",
  path: "/api/auth/logins",
  access: "signed-in",
  summary: "One's own logins, this one first and the others by their last use; not for temporary counters",
  answer: z.object({ logins: z.array(Login) }),
});

export const endOwnLogin = defineCall({
  method: "DELETE",
  path: "/api/auth/logins/:id",
  access: "signed-in",
  summary: "End one of one's own logins; not for temporary counters",
  params: z.object({ id: IdInput }),
  answer: Success,
  events: [],
});

export const endOtherLogins = defineCall({
  method: "POST",
  path: "/api/auth/logins/end-others",
  access: "signed-in",
  summary: "End all of one's own logins but this one; not for temporary counters",
  answer: z.object({ ended: z.int() }),
  events: [],
});
