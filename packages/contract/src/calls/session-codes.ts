import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { Id, IdInput, Success, Timestamp } from "../primitives.ts";
import { requiredName } from "../text.ts";

/**
 * A code by which people ask to count in a session. `link` is what its QR code holds: whoever opens it can ask, and the
 * administrator admits. Until `admitUntil` everybody who asks is admitted.
 */
export const SessionCode = z.object({
  _id: Id,
  link: z.string(),
  createdAt: Timestamp,
  admitUntil: z.nullable(Timestamp),
});
export type SessionCode = z.infer<typeof SessionCode>;

/** Somebody who has asked, and waits. */
export const JoinRequest = z.object({ _id: Id, counterName: z.string(), askedAt: Timestamp });
export type JoinRequest = z.infer<typeof JoinRequest>;

/** What a phone is told of its own request. `admitted`: its key opens the session as an invitation's token does. */
export const OwnJoinRequest = z.object({
  counterName: z.string(),
  status: z.enum(["waiting", "admitted", "declined"]),
  store: z.object({ name: z.string() }),
});
export type OwnJoinRequest = z.infer<typeof OwnJoinRequest>;

/** What a phone makes up and keeps: 32 random bytes in base64url, the form of an invitation's token. */
const JoinKey = z
  .string("A key is required.")
  .check(z.regex(/^[\w-]{43}$/, "The key must be 32 bytes in base64url."));

export const readSessionCode = defineCall({
  method: "GET",
  path: "/api/session-code/:sessionId",
  access: "admin",
  summary: "The open code of a session, and who waits to be admitted, the longest first",
  params: z.object({ sessionId: IdInput }),
  answer: z.object({ code: z.nullable(SessionCode), requests: z.array(JoinRequest) }),
});

export const openSessionCode = defineCall({
  method: "POST",
  path: "/api/session-code/:sessionId",
  access: "admin",
  summary: "Open a code for a session; the open one where there is one",
  params: z.object({ sessionId: IdInput }),
  answer: z.object({ code: SessionCode }),
  refusals: ["SESSION_CLOSED"],
  events: ["invitation"],
});

export const admitAll = defineCall({
  method: "PUT",
  path: "/api/session-code/:id",
  access: "admin",
  summary: "Admit everybody who waits, and who asks within the next 30 minutes; or end that",
  params: z.object({ id: IdInput }),
  body: z.object({ admitting: z.boolean("admitting must be true or false.") }),
  answer: z.object({ code: SessionCode }),
  refusals: ["SESSION_CLOSED"],
  events: ["invitation"],
});

export const revokeSessionCode = defineCall({
  method: "DELETE",
  path: "/api/session-code/:id",
  access: "admin",
  summary: "Close a code: nobody can ask by it any more; whom it has admitted stays",
  params: z.object({ id: IdInput }),
  answer: Success,
  events: ["invitation"],
});

export const admitPerson = defineCall({
  method: "POST",
  path: "/api/join-requests/:id/admit",
  access: "admin",
  summary: "Admit one person; repeatable, and also who was declined",
  params: z.object({ id: IdInput }),
  answer: Success,
  refusals: ["SESSION_CLOSED"],
  events: ["invitation"],
});

export const declinePerson = defineCall({
  method: "POST",
  path: "/api/join-requests/:id/decline",
  access: "admin",
  summary: "Decline one person who waits; repeatable",
  params: z.object({ id: IdInput }),
  answer: Success,
  events: ["invitation"],
});

const CodeToken = z.object({ token: z.string() });

export const readCode = defineCall({
  method: "GET",
  path: "/api/auth/code/:token",
  access: "public",
  summary: "Where a session code leads",
  params: CodeToken,
  answer: z.object({
    code: z.object({
      store: z.object({ name: z.string() }),
      session: z.object({ startedAt: Timestamp }),
    }),
  }),
});

export const askToJoin = defineCall({
  method: "POST",
  path: "/api/auth/code/:token/ask",
  access: "public",
  summary: "Ask to count; the same key again is the same request",
  params: CodeToken,
  body: z.object({ counterName: requiredName("Your name"), key: JoinKey }),
  answer: z.object({ request: OwnJoinRequest }),
  refusals: ["RATE_LIMITED"],
  events: ["invitation"],
});

export const readJoinRequest = defineCall({
  method: "GET",
  path: "/api/auth/join/:key",
  access: "public",
  summary: "What became of one's own request; once admitted, the key is accepted as an invitation's token",
  params: z.object({ key: z.string() }),
  answer: z.object({ request: OwnJoinRequest }),
  refusals: ["RATE_LIMITED"],
  events: ["invitation"],
});
