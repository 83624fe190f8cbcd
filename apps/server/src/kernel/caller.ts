import type { LoginEnd } from "@stocktake/contract";

/** The invitation that a temporary counter came by; it bounds what they reach. */
export interface CallerInvitation {
  readonly id: string;
  readonly sessionId: string;
  readonly storeId: string;
  readonly locationId: string | null;
}

interface SignedIn {
  readonly userId: string;
  readonly username: string;
  /** SHA-256 of the login's cookie: names the login without being able to use it. */
  readonly loginHash: Buffer;
}

export interface AdminCaller extends SignedIn {
  readonly role: "admin";
}

/** `invitation` is null for a permanent counter. */
export interface CounterCaller extends SignedIn {
  readonly role: "counter";
  readonly invitation: CallerInvitation | null;
}

/** Who makes a call. */
export type Caller = AdminCaller | CounterCaller;

declare module "fastify" {
  interface FastifyRequest {
    /** Who makes the call; null for a stranger. */
    caller: Caller | null;
    /** Why the login of the call's cookie is over; null where it opens something, or nothing is known of it. */
    loginEnd: LoginEnd | null;
  }
}
