import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import type { NewPasskey, PasskeyAnswer, PasskeyCreation, PasskeyRequest } from "@stocktake/contract";
import { sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import { readFactors } from "./factor-queries.ts";
import { consumeChallenge, keepChallenge, type PasskeyPurpose } from "./passkey-challenges.ts";
import type { RelyingParty } from "./relying-party.ts";

/** A second factor beside the password: that the key is there is enough, a PIN or a finger is welcome. */
const userVerification = "preferred";
/** For the browser, which may make it shorter. */
const timeout = 120_000;

const publicKey = "public-key" as const;

async function credentialsOf(transaction: Transaction, userId: string) {
  const { passkeys } = await readFactors(transaction, userId);
  return passkeys.map(({ credentialId: id, transports }) => {
    return { id, type: publicKey, transports: [...transports] };
  });
}

/** What a browser needs to make a passkey; one that holds a passkey of ours already makes no second one. */
export async function preparePasskey(
  transaction: Transaction,
  party: RelyingParty,
  { id: userId, username: name }: { readonly id: string; readonly username: string },
): Promise<PasskeyCreation> {
  const excludeCredentials = await credentialsOf(transaction, userId);
  const options = await generateRegistrationOptions({
    rpName: "Stocktake",
    rpID: party.id,
    userName: name,
    userID: Uint8Array.from(Buffer.from(userId)),
    attestationType: "none",
    excludeCredentials,
    timeout,
  });
  const { challenge, pubKeyCredParams, user } = options;
  await keepChallenge(transaction, { userId, purpose: "creation", challenge });
  return {
    rp: { id: party.id, name: "Stocktake" },
    user: { ...user, displayName: name },
    ...{ challenge, pubKeyCredParams, timeout, excludeCredentials },
    authenticatorSelection: { residentKey: "discouraged", userVerification },
    attestation: "none",
  };
}

/** What browsers tell besides: the id in another form, and of extensions, of which none is asked for. */
function unread({ id, type }: NewPasskey | PasskeyAnswer) {
  return { id, type, rawId: id, clientExtensionResults: {} };
}

/** Keeps a passkey that a browser has just made. Returns whether it is one, for here and for what was asked. */
export async function keepPasskey(
  transaction: Transaction,
  party: RelyingParty,
  { userId, name, passkey }: { readonly userId: string; readonly name: string; readonly passkey: NewPasskey },
): Promise<boolean> {
  const { clientDataJSON, attestationObject, transports = [] } = passkey.response;
  const signed = { userId, purpose: "creation", clientDataJSON } as const;
  const expectedChallenge = await consumeChallenge(transaction, signed);
  if (expectedChallenge === null) return false;
  const verified = await verifyRegistrationResponse({
    response: { ...unread(passkey), response: { clientDataJSON, attestationObject } },
    expectedChallenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
  }).catch(() => null);
  if (verified === null || !verified.verified) return false;
  const { credential } = verified.registrationInfo;
  await transaction
    .insertInto("passkeys")
    .values({
      userId,
      name,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      signCount: credential.counter,
      transports,
    })
    .execute();
  return true;
}

/** What a browser needs to use one of the user's passkeys. */
export async function askForPasskey(
  transaction: Transaction,
  party: RelyingParty,
  { userId, purpose }: { readonly userId: string; readonly purpose: PasskeyPurpose },
): Promise<PasskeyRequest> {
  const allowCredentials = await credentialsOf(transaction, userId);
  const { challenge } = await generateAuthenticationOptions({ rpID: party.id, allowCredentials, timeout });
  await keepChallenge(transaction, { userId, purpose, challenge });
  return { challenge, timeout, rpId: party.id, allowCredentials, userVerification };
}

/** Whether one of the user's passkeys signed what was asked, here and now. */
export async function checkPasskey(
  transaction: Transaction,
  party: RelyingParty,
  given: { readonly userId: string; readonly purpose: PasskeyPurpose; readonly passkey: PasskeyAnswer },
): Promise<boolean> {
  const { userId, purpose, passkey } = given;
  const { clientDataJSON } = passkey.response;
  const expectedChallenge = await consumeChallenge(transaction, { userId, purpose, clientDataJSON });
  if (expectedChallenge === null) return false;
  const kept = await transaction
    .selectFrom("passkeys")
    .select(["id", "credentialId", "publicKey", "signCount"])
    .where("userId", "=", userId)
    .where("credentialId", "=", passkey.id)
    .executeTakeFirst();
  if (kept === undefined) return false;
  const { credentialId, publicKey, signCount: counter } = kept;
  const verified = await verifyAuthenticationResponse({
    response: { ...unread(passkey), response: passkey.response },
    expectedChallenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: { id: credentialId, publicKey: Uint8Array.from(publicKey), counter },
    requireUserVerification: false,
  }).catch(() => null);
  if (verified === null || !verified.verified) return false;
  await transaction
    .updateTable("passkeys")
    .set({ signCount: verified.authenticationInfo.newCounter, lastUsedAt: sql<Date>`now()` })
    .where("id", "=", kept.id)
    .execute();
  return true;
}
