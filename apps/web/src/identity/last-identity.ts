import { InvitationData, User } from "@stocktake/contract";
import * as z from "zod/mini";

const storageKey = "stocktake.lastIdentity";
const LastIdentity = z.object({ user: User, invitationData: z.nullable(InvitationData) });

/** The user whom the server confirmed last on this device. No secret: the login itself is the HttpOnly cookie. */
export type LastIdentity = z.infer<typeof LastIdentity>;

function storage(): Storage | null {
  try {
    return globalThis.localStorage;
  } catch {
    // A browser may forbid storage; then nobody is remembered and a reload without the server asks to sign in.
    return null;
  }
}

export function rememberIdentity(identity: LastIdentity): void {
  try {
    storage()?.setItem(storageKey, JSON.stringify(identity));
  } catch (error) {
    // Storage is full: the login still holds while the page is open.
    globalThis.reportError(error);
  }
}

export function recallIdentity(): LastIdentity | null {
  const stored = storage()?.getItem(storageKey);
  if (stored === null || stored === undefined) return null;
  try {
    const parsed = z.safeParse(LastIdentity, JSON.parse(stored));
    return parsed.success ? parsed.data : null;
  } catch {
    // Not ours or cut off: the same as nothing remembered.
    return null;
  }
}

export function forgetIdentity(): void {
  storage()?.removeItem(storageKey);
}
