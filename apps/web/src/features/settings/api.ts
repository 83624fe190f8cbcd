import { changeAdminPassword, connections } from "@stocktake/contract";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../http/call.ts";
import { useChange } from "../../http/use-change.ts";

export function useChangePassword() {
  return useChange(
    (body: { currentPassword: string; newPassword: string }) => callApi(changeAdminPassword, { body }),
    [],
  );
}

/** What the server talks to; it changes with a restart only. */
export const connectionsQuery = queryOptions({
  queryKey: ["connections"],
  queryFn: ({ signal }) => callApi(connections, { signal }),
});
