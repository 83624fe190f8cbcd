import { type InvitationData, type User, whoAmI } from "@stocktake/contract";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { callApi } from "../http/call.ts";
import { ApiError } from "../http/errors.ts";
import { forgetIdentity, recallIdentity, rememberIdentity } from "./last-identity.ts";

/** Who uses this device, and where an invitation leads. */
export interface Identity {
  readonly user: User;
  readonly invitationData: InvitationData | null;
  /** False while the server has not confirmed it since the page was loaded: no answer yet, the last known user goes on. */
  readonly confirmed: boolean;
}

export const identityKey = ["identity"] as const;

const askAgainMs = 15_000;

/**
 * Reads who is signed in. Without an answer the last known user goes on, so that a counter in a dead spot can reload and
 * count; only a 401 ends it.
 */
async function restoreIdentity(signal: AbortSignal): Promise<Identity | null> {
  try {
    const { user, invitationData } = await callApi(whoAmI, { signal, timeoutMs: 8_000 });
    rememberIdentity({ user, invitationData });
    return { user, invitationData, confirmed: true };
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof ApiError && error.status === 401) {
      forgetIdentity();
      return null;
    }
    const last = recallIdentity();
    return last === null ? null : { ...last, confirmed: false };
  }
}

export const identityQuery = queryOptions({
  queryKey: identityKey,
  queryFn: ({ signal }) => restoreIdentity(signal),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
  refetchOnReconnect: "always",
  refetchInterval: (query) => (query.state.data?.confirmed === false ? askAgainMs : false),
});

/** Takes a user that the server has just signed in. What the previous one had read is dropped. */
export function enterIdentity(
  client: QueryClient,
  user: User,
  invitationData: InvitationData | null = null,
): void {
  dropServerState(client);
  rememberIdentity({ user, invitationData });
  client.setQueryData(identityKey, { user, invitationData, confirmed: true } satisfies Identity);
}

/** Ends the login in this page: after logout, and after any 401. */
export function leaveIdentity(client: QueryClient): void {
  forgetIdentity();
  client.setQueryData(identityKey, null);
  dropServerState(client);
}

// What a page on the screen still shows is left alone: its query would otherwise lose the answer it waits for.
function dropServerState(client: QueryClient): void {
  client.removeQueries({ type: "inactive", predicate: (query) => query.queryKey[0] !== identityKey[0] });
}
