import { changeAdminPassword } from "@stocktake/contract";
import { callApi } from "../../http/call.ts";
import { useChange } from "../../http/use-change.ts";

export function useChangePassword() {
  return useChange(
    (body: { currentPassword: string; newPassword: string }) => callApi(changeAdminPassword, { body }),
    [],
  );
}
