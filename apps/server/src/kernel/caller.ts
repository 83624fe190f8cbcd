import type { LoginEnd } from "@stocktake/contract";
import { ApiError } from "./api-error.ts";

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

/** What of somebody decides what they may do with an area's count: of who asks, or of whoever made what another login sends. */
export type Person = Pick<Caller, "role" | "userId">;

declare module "fastify" {
  interface FastifyRequest {
    /** Who makes the call; null for a stranger. */
    caller: Caller | null;
    /** Why the login of the call's cookie is over; null where it opens something, or nothing is known of it. */
    loginEnd: LoginEnd | null;
    /**
     * Where the caller is only remembered from a call before (see `confirmsCaller`): looks them up, and throws UNAUTHENTICATED
     * where their login has ended since. Null where they have been looked up for this call.
     */
    confirmCaller: (() => Promise<void>) | null;
  }
  interface FastifyContextConfig {
    /**
     * The call's own statement does nothing where its login has ended, so that a remembered caller will do until it has;
     * whatever else comes of the call waits for `confirmCaller`.
     */
    readonly confirmsCaller?: boolean;
  }
}

export function unauthenticated(loginEnd: LoginEnd | null): ApiError {
  return new ApiError("UNAUTHENTICATED", "Please sign in.", loginEnd === null ? {} : { loginEnd });
}
