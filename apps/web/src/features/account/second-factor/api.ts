import {
  addPasskey,
  beginAuthenticator,
  beginPasskey,
  chooseProof,
  confirmAuthenticator,
  removeAuthenticator,
  removePasskey,
  renewRecoveryCodes,
} from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../../http/call.ts";
import { withProof } from "../../../http/proof.ts";
import { queryRoots } from "../../../http/query-roots.ts";
import { useChange } from "../../../http/use-change.ts";
import { makePasskey } from "../../../identity/second-factor/passkey.ts";

const staleRoots = [queryRoots.security];

/** A new key for an authenticator app each time that the dialog opens; the one before it guards nothing. */
export const authenticatorKeyQuery = queryOptions({
  queryKey: ["authenticator-key"],
  queryFn: () => withProof(() => callApi(beginAuthenticator)),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  retry: false,
});

export function useConfirmAuthenticator() {
  return useChange(
    (code: string) => withProof(() => callApi(confirmAuthenticator, { body: { code } })),
    staleRoots,
  );
}

export function useAddPasskey() {
  return useChange(async (name: string) => {
    const { creation } = await withProof(() => callApi(beginPasskey));
    return callApi(addPasskey, { body: { name, passkey: await makePasskey(creation) } });
  }, staleRoots);
}

/** Removes the passkey of that id, or the authenticator app for null. */
export function useRemoveFactor() {
  return useChange(
    (id: string | null) =>
      withProof(() =>
        id === null ? callApi(removeAuthenticator) : callApi(removePasskey, { params: { id } }),
      ),
    staleRoots,
  );
}

export function useRenewCodes() {
  return useChange((_: undefined) => withProof(() => callApi(renewRecoveryCodes)), staleRoots);
}

export function useChooseProof() {
  return useChange(
    (proofBeforeMoves: boolean | null) =>
      withProof(() => callApi(chooseProof, { body: { proofBeforeMoves } })),
    staleRoots,
  );
}
