import type { User } from "@stocktake/contract";
import type { Caller, CallerInvitation } from "../kernel/caller.ts";

/** Who is signed in, as the contract shows them. */
export function presentUser(caller: Caller): User {
  const invitation = invitationOf(caller);
  return {
    _id: caller.userId,
    username: caller.username,
    role: caller.role,
    isTemporary: invitation !== null,
    invitationId: invitation?.id ?? null,
  };
}

/** The invitation that the caller came by; null for everybody who signs in with a password. */
export function invitationOf(caller: Caller): CallerInvitation | null {
  return caller.role === "counter" ? caller.invitation : null;
}
