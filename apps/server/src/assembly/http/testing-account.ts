import * as contract from "@stocktake/contract";
import type { Given } from "../../testing/test-api.ts";
import { adminPassword } from "../../testing/test-server.ts";

interface AccountIds {
  readonly loginId: string;
  readonly passkeyId: string;
}
type Form = readonly [contract.CallDefinition, (ids: AccountIds) => object];

function form<const Definition extends contract.CallDefinition>(
  call: Definition,
  given: (ids: AccountIds) => Given<Definition>,
): Form {
  return [call, given];
}

const nothing = () => ({});
const unknownPasskey = {
  ...{ id: "AA", type: "public-key" as const },
  response: { clientDataJSON: "AA", attestationObject: "AA" },
};

/** A proper form of the calls about one's own account: its logins, its second factors, and proofs. */
export const accountForms: readonly Form[] = [
  form(contract.listLogins, nothing),
  form(contract.endOwnLogin, ({ loginId }) => ({ params: { id: loginId } })),
  form(contract.endOtherLogins, nothing),
  form(contract.finishAdminLogin, () => ({
    body: { challenge: "unknown", factor: { method: "recovery_code" as const, code: "unknown" } },
  })),
  form(contract.requestPasskeyForLogin, () => ({ body: { challenge: "unknown" } })),
  form(contract.giveProof, () => ({ body: { method: "password" as const, password: adminPassword } })),
  form(contract.requestPasskeyForProof, nothing),
  form(contract.readSecurity, nothing),
  form(contract.chooseProof, () => ({ body: { proofBeforeMoves: null } })),
  form(contract.beginAuthenticator, nothing),
  form(contract.confirmAuthenticator, () => ({ body: { code: "unknown" } })),
  form(contract.removeAuthenticator, nothing),
  form(contract.beginPasskey, nothing),
  form(contract.addPasskey, () => ({ body: { name: "Key ring", passkey: unknownPasskey } })),
  form(contract.removePasskey, ({ passkeyId }) => ({ params: { id: passkeyId } })),
  form(contract.renewRecoveryCodes, nothing),
];
