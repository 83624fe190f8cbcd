import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { Id, IdInput, Success, Timestamp } from "../primitives.ts";

/**
 * Guessing at passwords that goes on, or went on: at the administrator's, at those of permanent counters, or at the current
 * one that a change of password asks for. After an hour without wrong passwords it is another one.
 */
export const GuessingNotice = z.object({
  _id: Id,
  login: z.enum(["admin", "counter", "password_change"]),
  wrongPasswords: z.int(),
  addresses: z.int(),
  beganAt: Timestamp,
  lastAt: Timestamp,
});
export type GuessingNotice = z.infer<typeof GuessingNotice>;

export const listNotices = defineCall({
  method: "GET",
  path: "/api/notices",
  access: "admin",
  summary: "What the administrator is warned of and has not put away, newest first",
  answer: z.object({ notices: z.array(GuessingNotice) }),
});

export const dismissNotice = defineCall({
  method: "POST",
  path: "/api/notices/:id/dismiss",
  access: "admin",
  summary: "Put a notice away",
  params: z.object({ id: IdInput }),
  answer: Success,
  events: [],
});
