import { InvitationData, LoginEnd, logout, User, whoAmI } from "@stocktake/contract";
import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, useContext, useSyncExternalStore } from "react";
import * as z from "zod/mini";
import { callApi } from "../http/call.ts";
import { ApiError } from "../http/errors.ts";

/** Who uses this device, and which session their invitation is for. */
export interface Identity {
  readonly user: User;
  readonly invitationData: InvitationData | null;
  /** False while the server has not confirmed it since the page was loaded: the last known user continues. */
  readonly confirmed: boolean;
}

const storageKey = "stocktake.lastIdentity";
const LastIdentity = z.object({ user: User, invitationData: z.nullable(InvitationData) });

/** The user whom the server confirmed last on this device. Not a secret: the login itself is the HttpOnly cookie. */
type LastIdentity = z.infer<typeof LastIdentity>;

function storage(): Storage | null {
  try {
    return globalThis.localStorage;
  } catch {
    // A browser may block storage; then nobody is remembered, and a reload without the server asks to sign in.
    return null;
  }
}

function rememberIdentity(identity: LastIdentity): void {
  // Before the rest, by which the other tabs hear of the login: the same call would end the new one.
  storage()?.removeItem(owedKey);
  store(storageKey, identity);
  storage()?.removeItem(endKey);
}

function store(key: string, value: unknown): void {
  try {
    storage()?.setItem(key, JSON.stringify(value));
  } catch (error) {
    // Storage is full: the login still works while the page is open.
    globalThis.reportError(error);
  }
}

function recallIdentity(): LastIdentity | null {
  const parsed = z.safeParse(LastIdentity, parseStored(storageKey));
  return parsed.success ? parsed.data : null;
}

function parseStored(key: string): unknown {
  const stored = storage()?.getItem(key);
  if (stored === null || stored === undefined) return null;
  try {
    return JSON.parse(stored);
  } catch {
    // Foreign or truncated: treated as nothing remembered.
    return null;
  }
}

const endKey = "stocktake.loginEnd";
const EndedLogin = z.object({
  reason: z.enum([...LoginEnd.options, "unknown"]),
  role: User.shape.role,
  isTemporary: z.boolean(),
});

/** A login that the server ended, which the login page tells of until somebody signs in here or logs out. */
export type EndedLogin = z.infer<typeof EndedLogin>;

export function readEndedLogin(): EndedLogin | null {
  const parsed = z.safeParse(EndedLogin, parseStored(endKey));
  return parsed.success ? parsed.data : null;
}

/** Nobody who was not signed in here is told of an end. */
function noteEndedLogin(loginEnd: LoginEnd | null): void {
  const last = recallIdentity();
  if (last === null) return;
  const { role, isTemporary } = last.user;
  store(endKey, { reason: loginEnd ?? "unknown", role, isTemporary } satisfies EndedLogin);
}

function forgetIdentity(): void {
  storage()?.removeItem(storageKey);
}

const owedKey = "stocktake.logoutOwed";

/** Who has logged out here, or true where that is not known; the server is not known to have heard of it. */
function logoutOwedBy(): unknown {
  return parseStored(owedKey);
}

/**
 * Somebody has logged out here, and the server's cookie would still sign them in. Not so where somebody else is remembered: a page of an
 * earlier release, which has no such note, has signed them in since, and the cookie is theirs. If it remembers who logged out, it has
 * asked before the server was told, and the logout holds; one who signs in there again meanwhile has to do so once more.
 */
function isLogoutOwed(): boolean {
  const by = logoutOwedBy();
  if (typeof by !== "string") return by !== null;
  const last = recallIdentity();
  return last === null || last.user._id === by;
}

export const identityKey = ["identity"] as const;

const confirmIntervalMs = 15_000;
const confirmTimeoutMs = 8_000;

/** Nobody is signed in, whether the server hears of the logout this time or the next. */
async function tellLogout(signal: AbortSignal): Promise<null> {
  try {
    await callApi(logout, { signal, timeoutMs: confirmTimeoutMs });
    storage()?.removeItem(owedKey);
    // Remembered again by a page of an earlier release, they would continue without a connection.
    forgetIdentity();
  } catch (error) {
    if (signal.aborted) throw error;
  }
  return null;
}

/**
 * Reads who is signed in. Without an answer the last known user continues, so that a counter in a dead spot can reload and
 * count; only a 401 ends the login, or a logout, which holds although the server has not heard it.
 */
async function restoreIdentity(signal: AbortSignal): Promise<Identity | null> {
  if (isLogoutOwed()) return tellLogout(signal);
  try {
    const { user, invitationData } = await callApi(whoAmI, { signal, timeoutMs: confirmTimeoutMs });
    // Asked before a logout in another tab, which the answer takes no account of.
    if (isLogoutOwed()) return null;
    if (user._id === logoutOwedBy()) return tellLogout(signal);
    rememberIdentity({ user, invitationData });
    return { user, invitationData, confirmed: true };
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof ApiError && error.status === 401) {
      // The response may come before the page is there that listens for the end of a login.
      noteEndedLogin(error.loginEnd);
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
  refetchInterval: ({ state: { data } }) =>
    data?.confirmed === false || isLogoutOwed() ? confirmIntervalMs : false,
});

/** Sets the user whom the server has just signed in, and drops what the previous one had loaded. */
export function enterIdentity(
  client: QueryClient,
  user: User,
  invitationData: InvitationData | null = null,
): void {
  dropServerState(client);
  rememberIdentity({ user, invitationData });
  client.setQueryData(identityKey, { user, invitationData, confirmed: true } satisfies Identity);
}

/** Ends the login in this page after any 401; the login page tells why. */
export function endIdentity(client: QueryClient, loginEnd: LoginEnd | null): void {
  noteEndedLogin(loginEnd);
  clearIdentity(client);
}

/** Ends the login on the server and in this page. A server that does not hear it is told again until it does. */
export async function leaveIdentity(client: QueryClient): Promise<void> {
  // Noted before it is told: the page may be closed meanwhile.
  store(owedKey, recallIdentity()?.user._id ?? true);
  await client.cancelQueries({ queryKey: identityKey });
  await tellLogout(new AbortController().signal);
  storage()?.removeItem(endKey);
  clearIdentity(client);
}

/** Tells the server once more of a logout that is owed, before somebody signs in: its answer, coming later, would clear the new cookie. */
export async function finishLogout(client: QueryClient): Promise<void> {
  if (isLogoutOwed()) await client.refetchQueries({ queryKey: identityKey });
}

/** Whether the server is still to be told that somebody has logged out here. */
export function useIsLogoutOwed(): boolean {
  return useSyncExternalStore(useQueryClient().getQueryCache().subscribe, isLogoutOwed);
}

function clearIdentity(client: QueryClient): void {
  forgetIdentity();
  client.setQueryData(identityKey, null);
  dropServerState(client);
}

const isOfUser = {
  predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== identityKey[0],
};

// Queries of a visible page are left alone: they would otherwise lose the response that they are waiting for.
function dropServerState(client: QueryClient): void {
  client.removeQueries({ type: "inactive", ...isOfUser });
}

/**
 * Asks the server who is signed in. Where that is somebody else by now, what the person before had loaded is gone before the
 * page has learned of the new one.
 */
export async function confirmIdentity(client: QueryClient): Promise<void> {
  await client.cancelQueries({ queryKey: identityKey });
  const identity = await restoreIdentity(new AbortController().signal);
  const before = client.getQueryData<Identity | null>(identityKey);
  if (before?.user._id !== identity?.user._id) client.removeQueries(isOfUser);
  client.setQueryData(identityKey, identity);
}

/** Follows logins and logouts in the browser's other tabs, which share this one's cookie; the returned function ends that. */
export function followOtherTabs(client: QueryClient): () => void {
  const hear = ({ key }: StorageEvent) => {
    if (key === storageKey) void confirmIdentity(client);
    // A null key: the browser has cleared everything, which is no logout.
    const present = key === null ? client.getQueryData<Identity | null>(identityKey) : null;
    if (present) rememberIdentity({ user: present.user, invitationData: present.invitationData });
  };
  globalThis.addEventListener("storage", hear);
  return () => globalThis.removeEventListener("storage", hear);
}

/** Whether someone is signed in on this device. `checking` lasts until the start-up call has returned or failed. */
export type AuthState =
  | { readonly status: "checking" }
  | { readonly status: "signed-out" }
  | ({ readonly status: "signed-in" } & Identity);

/** The signed-in user, restored at start-up by GET /api/auth/me; see {@link Identity} for `confirmed`. */
export function useAuth(): AuthState {
  const { data } = useQuery(identityQuery);
  if (data === undefined) return { status: "checking" };
  return data === null ? { status: "signed-out" } : { status: "signed-in", ...data };
}

/**
 * Whom a guard has let through. What it shows asks this and not the cache, which may have lost them since: whoever watches it is told a
 * moment later, and a part of the page that is drawn in between would find nobody.
 */
export const SignedInContext = createContext<Identity | null>(null);

/** The signed-in user, for pages behind a guard. */
export function useSignedIn(): Identity {
  const guarded = useContext(SignedInContext);
  const auth = useAuth();
  if (guarded !== null) return guarded;
  if (auth.status !== "signed-in") throw new Error("This page requires a login, but nobody is signed in.");
  return auth;
}

/** Returns what stays on the device when the person logs out, as a sentence; null where nothing does. */
export type LogoutWarning = () => Promise<string | null>;

/** Asked before logging out; the device's outbox provides it. */
export const LogoutWarningContext = createContext<LogoutWarning>(() => Promise.resolve(null));
