import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { pageAnswer, pageQuery } from "../paging.ts";
import { Id, IdInput, Success, Timestamp } from "../primitives.ts";
import { Email, requiredName } from "../text.ts";
import { InvitationData, User } from "./auth.ts";

/** `token` is only the last 12 characters: the whole one exists in the mail alone. */
export const Invitation = z.object({
  _id: Id,
  counterName: z.string(),
  email: z.string(),
  token: z.string(),
  createdAt: Timestamp,
  usedAt: z.nullable(Timestamp),
  /** The location that its counter begins with, and what that is called, deleted or not; null where none was chosen. */
  locationId: z.optional(z.nullable(Id)),
  locationName: z.optional(z.nullable(z.string())),
});
export type Invitation = z.infer<typeof Invitation>;

/** An invitation as the invited person reads it before accepting. */
export const InvitationForAcceptance = z.object({
  _id: Id,
  counterName: z.string(),
  email: z.string(),
  createdAt: Timestamp,
  usedAt: z.nullable(Timestamp),
  store: z.object({ _id: Id, name: z.string() }),
  session: z.object({ _id: Id, startedAt: Timestamp }),
});
export type InvitationForAcceptance = z.infer<typeof InvitationForAcceptance>;

const Token = z.object({ token: z.string() });

export const readInvitation = defineCall({
  method: "GET",
  path: "/api/auth/invite/:token",
  access: "public",
  summary: "Read an invitation before accepting it",
  params: Token,
  answer: z.object({ invitation: InvitationForAcceptance }),
});

export const acceptInvitation = defineCall({
  method: "POST",
  path: "/api/auth/invite/:token/accept",
  access: "public",
  summary: "Join the session as its temporary counter; repeatable on another device",
  params: Token,
  answer: z.object({ user: User, invitationData: InvitationData }),
  events: ["invitation"],
});

/** Somebody whom a planned session, now started, is still to invite. `problem`: why that could not be done until now. */
export const WaitingInvitation = z.object({
  _id: Id,
  counterName: z.string(),
  email: z.string(),
  problem: z.nullable(z.string()),
  /** Nothing is tried any more: somebody has to invite them, or take them out. */
  givenUp: z.boolean(),
});
export type WaitingInvitation = z.infer<typeof WaitingInvitation>;

export const listInvitations = defineCall({
  method: "GET",
  path: "/api/invitations/session/:sessionId",
  access: "admin",
  summary: "Invitations of a session",
  params: z.object({ sessionId: IdInput }),
  query: z.object(pageQuery),
  answer: z.object({
    invitations: z.array(Invitation),
    /** With the first page. Absent from an older server. */
    waiting: z.optional(z.array(WaitingInvitation)),
    ...pageAnswer,
  }),
});

export const createInvitation = defineCall({
  method: "POST",
  path: "/api/invitations/create",
  access: "admin",
  summary: "Invite a counter by e-mail",
  status: 201,
  body: z.object({
    sessionId: IdInput,
    storeId: IdInput,
    email: Email,
    counterName: requiredName("Counter name"),
    locationId: z.optional(z.nullable(IdInput)),
    /**
     * The address is not invited to this session a second time: a list can be sent again, and by two at once. Without it an
     * address may be invited as often as somebody wants.
     */
    onlyOnce: z.optional(z.boolean("onlyOnce must be true or false.")),
  }),
  /** `already`, with `onlyOnce` alone: the invitation that the address has; nothing was sent. */
  answer: z.object({ invitation: Invitation, delivery: z.enum(["sent", "outbox", "already"]) }),
  refusals: ["INVITATION_UNDER_WAY", "MAIL_FAILED", "SESSION_CLOSED"],
  events: ["invitation"],
});

/** Somebody who was invited to an earlier session, by the address that they were invited under last. */
export const EarlierCounter = z.object({ counterName: z.string(), email: z.string(), invitedAt: Timestamp });
export type EarlierCounter = z.infer<typeof EarlierCounter>;

export const listEarlierCounters = defineCall({
  method: "GET",
  path: "/api/invitations/earlier/:sessionId",
  access: "admin",
  summary:
    "People who were invited to other sessions, and not to this one yet; whom its store invited come first",
  params: z.object({ sessionId: IdInput }),
  answer: z.object({ counters: z.array(EarlierCounter) }),
});

export const revokeInvitation = defineCall({
  method: "DELETE",
  path: "/api/invitations/:id",
  access: "admin",
  summary:
    "Revoke an invitation and end its logins at once; or take out somebody who still waits to be invited",
  params: z.object({ id: IdInput }),
  answer: Success,
  events: ["invitation", "area"],
});

/** A mail of an invitation that was made while no mail server was configured, and has not been used since. */
export const OutboxMail = z.object({
  _id: Id,
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  link: z.string(),
  createdAt: Timestamp,
});
export type OutboxMail = z.infer<typeof OutboxMail>;

export const listOutboxMails = defineCall({
  method: "GET",
  path: "/api/mail/outbox",
  access: "admin",
  summary: "Mails of invitations that were made without a mail server, until they are used",
  query: z.object(pageQuery),
  answer: z.object({ mails: z.array(OutboxMail), ...pageAnswer }),
});
