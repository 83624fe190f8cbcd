import { adminLogin, counterLogin } from "@stocktake/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../http/call.ts";
import { enterIdentity } from "../../identity/identity.ts";

export function useAdminLogin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (password: string) => callApi(adminLogin, { body: { password } }),
    onSuccess: ({ user }) => enterIdentity(client, user),
  });
}

export function useCounterLogin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { username: string; password: string }) => callApi(counterLogin, { body }),
    onSuccess: ({ user }) => enterIdentity(client, user),
  });
}
