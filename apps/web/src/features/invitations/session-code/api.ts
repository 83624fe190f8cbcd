import {
  admitAll,
  admitPerson,
  declinePerson,
  openSessionCode,
  revokeSessionCode,
} from "@stocktake/contract";
import { callApi } from "../../../http/call.ts";
import { staleAfter } from "../../../http/query-roots.ts";
import { useChange } from "../../../http/use-change.ts";

export const useOpenCode = (sessionId: string) =>
  useChange((_: undefined) => callApi(openSessionCode, { params: { sessionId } }), staleAfter.invitation);

export const useCloseCode = (id: string) =>
  useChange((_: undefined) => callApi(revokeSessionCode, { params: { id } }), staleAfter.invitation);

export const useAdmitAll = (id: string) =>
  useChange(
    (admitting: boolean) => callApi(admitAll, { params: { id }, body: { admitting } }),
    staleAfter.invitation,
  );

export const useAdmit = (id: string) =>
  useChange((_: undefined) => callApi(admitPerson, { params: { id } }), staleAfter.invitation);

export const useDecline = (id: string) =>
  useChange((_: undefined) => callApi(declinePerson, { params: { id } }), staleAfter.invitation);
