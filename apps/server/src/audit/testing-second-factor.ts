import * as contract from "@stocktake/contract";
import { addPasskey, byName, challengeOf, codeOf } from "../auth/testing/factor-scene.ts";
import type { TestApi } from "../testing/test-api.ts";
import type { AuditWalk } from "./testing-walk.ts";

/** Adds every kind of second factor, uses each and removes it again. */
export async function guardAccount(walk: AuditWalk): Promise<void> {
  const { server } = walk;
  const admin = byName(server, server.admin.token);
  const stranger = byName(server, null);
  const { secret } = await walk.act(contract.beginAuthenticator, {}, admin);
  const code = codeOf(secret, 0, Date.now());
  const { recoveryCodes } = await walk.act(contract.confirmAuthenticator, { body: { code } }, admin);
  walk.codes.push(secret, ...recoveryCodes);
  const walking: Pick<TestApi, "call"> = { call: (call, given) => walk.act(call, given, admin) };
  const passkey = await addPasskey(server, walking);

  const { request } = await walk.act(contract.requestPasskeyForProof, {}, admin);
  await walk.act(contract.giveProof, { body: { method: "passkey", passkey: passkey.use(request) } }, admin);
  const [first = ""] = recoveryCodes;
  await walk.act(contract.giveProof, { body: { method: "recovery_code", code: first } }, admin);

  const challenge = await challengeOf(server);
  const asked = await walk.act(contract.requestPasskeyForLogin, { body: { challenge } }, stranger);
  const factor = { method: "passkey", passkey: passkey.use(asked.request) } as const;
  await walk.act(contract.finishAdminLogin, { body: { challenge, factor } }, stranger);

  for (const proofBeforeMoves of [true, true, null]) {
    await walk.act(contract.chooseProof, { body: { proofBeforeMoves } }, admin);
  }
  await walk.act(contract.renewRecoveryCodes, {}, admin);
  const { security } = await admin.call(contract.readSecurity, {});
  await walk.act(contract.removePasskey, { params: { id: security.passkeys[0]?._id ?? "" } }, admin);
  await walk.act(contract.removeAuthenticator, {}, admin);
}
