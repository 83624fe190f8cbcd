import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { limits } from "../limits.ts";
import { pageAnswer, pageQuery } from "../paging.ts";
import { Id, IdInput, Success, Timestamp } from "../primitives.ts";
import { GivenPassword, NewPassword, requiredKey, requiredName } from "../text.ts";

/** A temporary counter's username is the invitation's counterName; the admin's is `admin`. */
export const User = z.object({
  _id: Id,
  username: z.string(),
  role: z.enum(["admin", "counter"]),
  isTemporary: z.boolean(),
  invitationId: z.nullable(Id),
});
export type User = z.infer<typeof User>;

/** Where an invitation leads: its store, and its location, or the store's only one, or null. */
export const InvitationData = z.object({ storeId: Id, locationId: z.nullable(Id) });
export type InvitationData = z.infer<typeof InvitationData>;

export const Counter = z.object({
  _id: Id,
  username: z.string(),
  isActive: z.boolean(),
  createdAt: Timestamp,
});
export type Counter = z.infer<typeof Counter>;

const Identity = z.object({ user: User, invitationData: z.nullable(InvitationData) });

export const adminLogin = defineCall({
  method: "POST",
  path: "/api/auth/admin/login",
  access: "public",
  summary: "Sign the administrator in",
  body: z.object({ password: GivenPassword }),
  answer: z.object({ user: User }),
  refusals: ["RATE_LIMITED", "SECOND_FACTOR_REQUIRED"],
  events: [],
});

export const counterLogin = defineCall({
  method: "POST",
  path: "/api/auth/counter/login",
  access: "public",
  summary: "Sign a permanent counter in",
  body: z.object({ username: requiredKey("Username", limits.name), password: GivenPassword }),
  answer: z.object({ user: User }),
  refusals: ["RATE_LIMITED"],
  events: [],
});

export const logout = defineCall({
  method: "POST",
  path: "/api/auth/logout",
  access: "public",
  summary: "End this login on the server",
  answer: Success,
  events: [],
});

export const whoAmI = defineCall({
  method: "GET",
  path: "/api/auth/me",
  access: "signed-in",
  summary: "The signed-in user, and where an invitation leads",
  answer: Identity,
});

export const changeAdminPassword = defineCall({
  method: "POST",
  path: "/api/auth/admin/change-password",
  access: "admin",
  summary: "Change the administrator's password and end every other admin login",
  body: z.object({ currentPassword: GivenPassword, newPassword: NewPassword }),
  answer: Success,
  refusals: ["RATE_LIMITED"],
  events: [],
});

export const listCounters = defineCall({
  method: "GET",
  path: "/api/auth/counters",
  access: "admin",
  summary: "Permanent counter accounts",
  query: z.object(pageQuery),
  answer: z.object({ counters: z.array(Counter), ...pageAnswer }),
});

export const createCounter = defineCall({
  method: "POST",
  path: "/api/auth/newCounterAccount",
  access: "admin",
  summary: "Create a permanent counter account",
  status: 201,
  body: z.object({ username: requiredName("Username"), password: NewPassword }),
  answer: z.object({ counter: Counter }),
  refusals: ["USERNAME_TAKEN"],
  events: [],
});

export const updateCounter = defineCall({
  method: "PUT",
  path: "/api/auth/counters/:id",
  access: "admin",
  summary: "Rename, activate or deactivate a counter account",
  params: z.object({ id: IdInput }),
  body: z.object({
    username: z.optional(requiredName("Username")),
    password: z.optional(NewPassword),
    isActive: z.optional(z.boolean("isActive must be true or false.")),
  }),
  answer: z.object({ counter: Counter }),
  refusals: ["USERNAME_TAKEN"],
  events: ["area"],
});

export const deleteCounter = defineCall({
  method: "DELETE",
  path: "/api/auth/counters/:id",
  access: "admin",
  summary: "Delete a counter account and end its logins",
  params: z.object({ id: IdInput }),
  answer: Success,
  events: ["area"],
});
