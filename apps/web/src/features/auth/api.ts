import {
  adminLogin,
  counterLogin,
  finishAdminLogin,
  requestPasskeyForLogin,
  type SecondFactor,
} from "@stocktake/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../http/call.ts";
import { enterIdentity, finishLogout } from "../../identity/identity.ts";
import { type FactorEntry, typedProof } from "../../identity/second-factor/factor-entry.tsx";
import { answerWithPasskey } from "../../identity/second-factor/passkey.ts";

export function useAdminLogin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (password: string) => {
      await finishLogout(client);
      return callApi(adminLogin, { body: { password } });
    },
    onSuccess: ({ user }) => enterIdentity(client, user),
  });
}

/** The second half of a login whose password was right. */
export function useFinishLogin(challenge: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (entry: FactorEntry) => {
      const factor = await factorOf(challenge, entry);
      await finishLogout(client);
      return callApi(finishAdminLogin, { body: { challenge, factor } });
    },
    onSuccess: ({ user }) => enterIdentity(client, user),
  });
}

async function factorOf(challenge: string, entry: FactorEntry): Promise<SecondFactor> {
  const typed = typedProof(entry);
  if (typed !== null && typed.method !== "password") return typed;
  const { request } = await callApi(requestPasskeyForLogin, { body: { challenge } });
  return { method: "passkey", passkey: await answerWithPasskey(request) };
}

export function useCounterLogin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: { username: string; password: string }) => {
      await finishLogout(client);
      return callApi(counterLogin, { body });
    },
    onSuccess: ({ user }) => enterIdentity(client, user),
  });
}
