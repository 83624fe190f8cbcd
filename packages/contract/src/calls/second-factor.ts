import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { SecondFactorMethod } from "../errors.ts";
import { limits } from "../limits.ts";
import { Id, IdInput, Success, Timestamp } from "../primitives.ts";
import { GivenPassword, requiredKey, requiredName } from "../text.ts";
import { User } from "./auth.ts";

/** Of WebAuthn, as browsers give and take it (base64url in JSON). */
const PublicKey = z.literal("public-key", "A passkey's type is public-key.");
const Credential = z.object({ id: z.string(), type: PublicKey, transports: z.array(z.string()) });

function base64url(name: string) {
  return z
    .string(`${name} is required.`)
    .check(
      z.maxLength(limits.passkeyPart, `${name} is too long.`),
      z.regex(/^[\w-]+$/, `${name} is not base64url.`),
    );
}

const credentialParts = {
  id: base64url("id"),
  type: PublicKey,
};

/** What a browser makes of `PasskeyCreation`, as far as it is read. */
export const NewPasskey = z.object({
  ...credentialParts,
  response: z.object({
    clientDataJSON: base64url("clientDataJSON"),
    attestationObject: base64url("attestationObject"),
    transports: z.optional(
      z
        .array(z.string().check(z.maxLength(limits.passkeyTransport)))
        .check(z.maxLength(limits.passkeyTransports)),
    ),
  }),
});
export type NewPasskey = z.infer<typeof NewPasskey>;

/** What a browser makes of `PasskeyRequest`, as far as it is read. */
export const PasskeyAnswer = z.object({
  ...credentialParts,
  response: z.object({
    clientDataJSON: base64url("clientDataJSON"),
    authenticatorData: base64url("authenticatorData"),
    signature: base64url("signature"),
  }),
});
export type PasskeyAnswer = z.infer<typeof PasskeyAnswer>;

/** For the browser to make a passkey with. */
export const PasskeyCreation = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: PublicKey, alg: z.number() })),
  timeout: z.number(),
  excludeCredentials: z.array(Credential),
  authenticatorSelection: z.object({
    residentKey: z.enum(["discouraged", "preferred", "required"]),
    userVerification: z.enum(["discouraged", "preferred", "required"]),
  }),
  attestation: z.literal("none"),
});
export type PasskeyCreation = z.infer<typeof PasskeyCreation>;

/** For the browser to use a passkey with. */
export const PasskeyRequest = z.object({
  challenge: z.string(),
  timeout: z.number(),
  rpId: z.string(),
  allowCredentials: z.array(Credential),
  userVerification: z.enum(["discouraged", "preferred", "required"]),
});
export type PasskeyRequest = z.infer<typeof PasskeyRequest>;

const code = requiredKey("Code", limits.secondFactorCode);

/** A second factor that is shown: the code of an authenticator app, a recovery code, or a passkey. */
const factors = [
  z.object({ method: z.literal("code"), code }),
  z.object({ method: z.literal("recovery_code"), code }),
  z.object({ method: z.literal("passkey"), passkey: PasskeyAnswer }),
] as const;

export const SecondFactor = z.discriminatedUnion("method", factors);
export type SecondFactor = z.infer<typeof SecondFactor>;

/** That it is still the administrator who sits there: the password again, or a second factor. */
export const Proof = z.discriminatedUnion("method", [
  z.object({ method: z.literal("password"), password: GivenPassword }),
  ...factors,
]);
export type Proof = z.infer<typeof Proof>;

const Challenge = requiredKey("challenge", limits.secondFactorCode);

export const finishAdminLogin = defineCall({
  method: "POST",
  path: "/api/auth/admin/second-factor",
  access: "public",
  summary: "Finish signing the administrator in, after SECOND_FACTOR_REQUIRED, whose challenge it takes",
  body: z.object({ challenge: Challenge, factor: SecondFactor }),
  answer: z.object({ user: User }),
  refusals: ["CHALLENGE_OVER", "RATE_LIMITED", "PASSKEYS_UNAVAILABLE"],
  events: [],
});

export const requestPasskeyForLogin = defineCall({
  method: "POST",
  path: "/api/auth/admin/second-factor/passkey",
  access: "public",
  summary: "What the browser needs to finish signing in with a passkey",
  body: z.object({ challenge: Challenge }),
  answer: z.object({ request: PasskeyRequest }),
  refusals: ["CHALLENGE_OVER", "PASSKEYS_UNAVAILABLE"],
  events: [],
});

export const giveProof = defineCall({
  method: "POST",
  path: "/api/auth/proof",
  access: "admin",
  summary: "Prove again that it is the administrator, for the ten minutes that follow",
  body: Proof,
  answer: z.object({ provedUntil: Timestamp }),
  refusals: ["RATE_LIMITED", "PASSKEYS_UNAVAILABLE"],
  events: [],
});

export const requestPasskeyForProof = defineCall({
  method: "POST",
  path: "/api/auth/proof/passkey",
  access: "admin",
  summary: "What the browser needs to prove it with a passkey",
  answer: z.object({ request: PasskeyRequest }),
  refusals: ["PASSKEYS_UNAVAILABLE"],
  events: [],
});

export const Passkey = z.object({
  _id: Id,
  name: z.string(),
  createdAt: Timestamp,
  lastUsedAt: z.nullable(Timestamp),
});
export type Passkey = z.infer<typeof Passkey>;

/** What guards the administrator's account. */
export const Security = z.object({
  /** The first password was made up by the server, printed in its log, and was not changed since. */
  passwordIsGenerated: z.boolean(),
  authenticator: z.nullable(z.object({ addedAt: Timestamp })),
  passkeys: z.array(Passkey),
  /** Whether a passkey can be made and used at the address of this request, and if not, why. */
  passkeyProblem: z.nullable(z.string()),
  recoveryCodesLeft: z.int(),
  /** Whether a deploy or rollback asks for a proof, and whether somebody chose that or it follows from a second factor. */
  proofBeforeMoves: z.boolean(),
  proofIsChosen: z.boolean(),
  /** What can be given as a proof. */
  methods: z.array(SecondFactorMethod),
});
export type Security = z.infer<typeof Security>;

export const readSecurity = defineCall({
  method: "GET",
  path: "/api/auth/security",
  access: "admin",
  summary: "What guards the administrator's account: second factors, and when a proof is asked for",
  answer: z.object({ security: Security }),
});

/** These change what guards the account, so each asks for a proof that is no older than ten minutes. */
const refusals = ["REAUTHENTICATION_REQUIRED"] as const;

export const chooseProof = defineCall({
  method: "PUT",
  path: "/api/auth/security",
  access: "admin",
  summary: "Choose whether a deploy or rollback asks for a proof; null: where there is a second factor",
  body: z.object({
    proofBeforeMoves: z.nullable(z.boolean("proofBeforeMoves must be true, false or null.")),
  }),
  answer: z.object({ security: Security }),
  refusals,
  events: [],
});

export const beginAuthenticator = defineCall({
  method: "POST",
  path: "/api/auth/security/authenticator",
  access: "admin",
  summary: "A new secret for an authenticator app (RFC 6238), which guards nothing before a code confirms it",
  answer: z.object({ secret: z.string(), address: z.string() }),
  refusals: [...refusals, "AUTHENTICATOR_SET"],
  events: [],
});

/** Recovery codes are told once, where the first second factor is added and where they are renewed. */
const RecoveryCodes = z.array(z.string());

export const confirmAuthenticator = defineCall({
  method: "POST",
  path: "/api/auth/security/authenticator/confirm",
  access: "admin",
  summary:
    "Add the authenticator app whose code is shown, and the recovery codes with the first second factor",
  body: z.object({ code }),
  answer: z.object({ security: Security, recoveryCodes: RecoveryCodes }),
  refusals: [...refusals, "AUTHENTICATOR_SET", "RATE_LIMITED"],
  events: [],
});

export const removeAuthenticator = defineCall({
  method: "DELETE",
  path: "/api/auth/security/authenticator",
  access: "admin",
  summary: "Remove the authenticator app, and the recovery codes with the last second factor",
  answer: Success,
  refusals: [...refusals, "NO_SECOND_FACTOR"],
  events: [],
});

export const beginPasskey = defineCall({
  method: "POST",
  path: "/api/auth/security/passkeys/begin",
  access: "admin",
  summary: "What the browser needs to make a passkey",
  answer: z.object({ creation: PasskeyCreation }),
  refusals: [...refusals, "PASSKEYS_UNAVAILABLE"],
  events: [],
});

export const addPasskey = defineCall({
  method: "POST",
  path: "/api/auth/security/passkeys",
  access: "admin",
  summary: "Add a passkey, and the recovery codes with the first second factor",
  status: 201,
  body: z.object({ name: requiredName("Name"), passkey: NewPasskey }),
  answer: z.object({ security: Security, recoveryCodes: RecoveryCodes }),
  refusals: [...refusals, "PASSKEYS_UNAVAILABLE"],
  events: [],
});

export const removePasskey = defineCall({
  method: "DELETE",
  path: "/api/auth/security/passkeys/:id",
  access: "admin",
  summary: "Remove a passkey, and the recovery codes with the last second factor",
  params: z.object({ id: IdInput }),
  answer: Success,
  refusals,
  events: [],
});

export const renewRecoveryCodes = defineCall({
  method: "POST",
  path: "/api/auth/security/recovery-codes",
  access: "admin",
  summary: "New recovery codes; the old ones open nothing any more",
  answer: z.object({ recoveryCodes: RecoveryCodes }),
  refusals: [...refusals, "NO_SECOND_FACTOR"],
  events: [],
});
