import { logout } from "@stocktake/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { callApi } from "../http/call.ts";
import { type Identity, identityQuery, leaveIdentity } from "./identity.ts";

/** Whether someone is signed in on this device. `checking` lasts until the start-up call is answered or given up. */
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

/** The signed-in user, for pages behind a guard. */
export function useSignedIn(): Identity {
  const auth = useAuth();
  if (auth.status !== "signed-in")
    throw new Error("This page stands behind a guard, yet nobody is signed in.");
  return auth;
}

/** Signs out: on the server where it answers (a failure is only logged), and in this page in any case. */
export function useLogout(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(async () => {
    try {
      await callApi(logout);
    } catch (error) {
      globalThis.reportError(error);
    }
    leaveIdentity(client);
  }, [client]);
}
