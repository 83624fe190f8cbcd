import {
  acceptInvitation,
  createInvitation,
  listOutboxMails,
  readInvitation,
  revokeInvitation,
} from "@stocktake/contract";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../http/call.ts";
import { queryRoots } from "../../http/shared-queries.ts";
import { useChange, useSending } from "../../http/use-change.ts";
import { enterIdentity, identityKey } from "../../identity/identity.ts";

export interface InvitationEntry {
  readonly counterName: string;
  readonly email: string;
  /** "" for any location of the store. */
  readonly locationId: string;
}

export const outboxQuery = queryOptions({
  queryKey: [queryRoots.outbox],
  queryFn: ({ signal }) => callApi(listOutboxMails, { signal }),
  select: (answer) => answer.mails,
  retry: false,
});

export function invitationQuery(token: string) {
  return queryOptions({
    queryKey: ["invitation", token],
    queryFn: ({ signal }) => callApi(readInvitation, { params: { token }, signal }),
    select: (answer) => answer.invitation,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

const staleRoots = [queryRoots.invitations, queryRoots.outbox];

export function useCreateInvitation(sessionId: string, storeId: string) {
  return useChange(
    ({ counterName, email, locationId }: InvitationEntry) =>
      callApi(createInvitation, {
        body: {
          sessionId,
          storeId,
          counterName,
          email,
          ...(locationId === "" ? {} : { locationId }),
        },
      }),
    staleRoots,
  );
}

export function useRevokeInvitation() {
  return useChange((id: string) => callApi(revokeInvitation, { params: { id } }), staleRoots);
}

export function useAcceptInvitation(token: string) {
  const client = useQueryClient();
  return useSending(
    useMutation({
      mutationFn: (_: undefined) => callApi(acceptInvitation, { params: { token } }),
      onSuccess: ({ user, invitationData }) => {
        enterIdentity(client, user, invitationData);
        void client.invalidateQueries({ queryKey: identityKey });
      },
    }),
  );
}
