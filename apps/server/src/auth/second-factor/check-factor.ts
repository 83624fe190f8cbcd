import type { SecondFactor } from "@stocktake/contract";
import { type AuditActor, recordAudit } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import { checkCode } from "./authenticator-queries.ts";
import type { PasskeyPurpose } from "./passkey-challenges.ts";
import { checkPasskey } from "./passkeys.ts";
import { countRecoveryCodes, useRecoveryCode } from "./recovery-codes.ts";
import type { RelyingParty } from "./relying-party.ts";
import type { FactorServices } from "./services.ts";

export interface ShownFactor {
  readonly userId: string;
  readonly factor: SecondFactor;
  readonly purpose: PasskeyPurpose;
  /** Of the request; called for passkeys alone, as it throws where there can be none. */
  readonly party: () => RelyingParty;
}

/**
 * Whether what was shown is a second factor of the user, whose account is locked. What serves once is used up.
 * @throws ApiError RATE_LIMITED, PASSKEYS_UNAVAILABLE.
 */
export async function checkFactor(
  services: FactorServices,
  transaction: Transaction,
  { userId, factor, purpose, party }: ShownFactor,
): Promise<boolean> {
  switch (factor.method) {
    case "code":
      return checkCode(services, transaction, { userId, code: factor.code });
    case "recovery_code":
      return useRecoveryCode(transaction, userId, factor.code);
    case "passkey":
      return checkPasskey(transaction, party(), { userId, purpose, passkey: factor.passkey });
  }
}

/** That a recovery code is used up, and how many are left: whoever did not do it sees it. Nothing for other factors. */
export async function recordUse(
  transaction: Transaction,
  {
    factor,
    actor,
    name,
  }: {
    readonly factor: SecondFactor;
    readonly actor: AuditActor & { readonly id: string };
    readonly name: string;
  },
): Promise<void> {
  if (factor.method !== "recovery_code") return;
  await recordAudit(transaction, {
    sessionId: null,
    actor,
    action: "recovery_code.used",
    subject: { kind: "account", id: actor.id, name },
    before: null,
    after: { left: await countRecoveryCodes(transaction, actor.id) },
  });
}
