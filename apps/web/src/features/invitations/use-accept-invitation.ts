import { acceptInvitation } from "@stocktake/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../http/call.ts";
import { useSending } from "../../http/use-change.ts";
import { enterIdentity, finishLogout, identityKey } from "../../identity/identity.ts";

/** Joins a session by an invitation's token, or by the key of a request that was admitted, and is then who that says. */
export function useAcceptInvitation(token: string) {
  const client = useQueryClient();
  return useSending(
    useMutation({
      mutationFn: async (_: undefined) => {
        await finishLogout(client);
        return callApi(acceptInvitation, { params: { token } });
      },
      onSuccess: ({ user, invitationData }) => {
        enterIdentity(client, user, invitationData);
        void client.invalidateQueries({ queryKey: identityKey });
      },
    }),
  );
}
