import type { NewPasskey } from "@stocktake/contract";
import { sql } from "kysely";
import { actorOf } from "../../audit/audit.ts";
import type { Transaction } from "../../database/pool.ts";
import { ApiError, invalidField, notFound } from "../../kernel/api-error.ts";
import type { AdminCaller } from "../../kernel/caller.ts";
import { checkCode } from "./authenticator-queries.ts";
import { hasSecondFactor, lockAccount, readFactors } from "./factor-queries.ts";
import { keepPasskey, preparePasskey } from "./passkeys.ts";
import { deleteRecoveryCodes, ensureRecoveryCodes, renewRecoveryCodes } from "./recovery-codes.ts";
import type { RelyingParty } from "./relying-party.ts";
import { recordSecurity } from "./security.ts";
import type { FactorServices } from "./services.ts";
import { describeSecret, newSecret } from "./totp.ts";

/** Works on the caller's account while nobody else does. */
function onAccount<Result>(
  { database }: FactorServices,
  { userId }: AdminCaller,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return database.transaction().execute(async (transaction) => {
    await lockAccount(transaction, userId);
    return work(transaction);
  });
}

async function requireNoAuthenticator(transaction: Transaction, userId: string): Promise<void> {
  const { authenticatorAt } = await readFactors(transaction, userId);
  if (authenticatorAt === null) return;
  throw new ApiError(
    "AUTHENTICATOR_SET",
    "There is an authenticator app already. Remove it before you add another one.",
  );
}

/** A new secret for an authenticator app, told this once; it guards nothing before a code confirms it. */
export function beginAuthenticator(services: FactorServices, caller: AdminCaller) {
  return onAccount(services, caller, async (transaction) => {
    await requireNoAuthenticator(transaction, caller.userId);
    const secret = newSecret();
    const sealedSecret = await services.seal.close(secret);
    await transaction
      .insertInto("authenticatorApps")
      .values({ userId: caller.userId, sealedSecret })
      .onConflict((conflict) => conflict.column("userId").doUpdateSet({ sealedSecret, lastStep: 0 }))
      .execute();
    return describeSecret(secret, caller.username);
  });
}

/** Adds the authenticator app that shows the code. Returns the recovery codes of a first second factor. */
export async function confirmAuthenticator(
  services: FactorServices,
  caller: AdminCaller,
  code: string,
): Promise<string[]> {
  const codes = await onAccount(services, caller, async (transaction) => {
    const { userId } = caller;
    await requireNoAuthenticator(transaction, userId);
    if (!(await checkCode(services, transaction, { userId, code, isNew: true }))) return null;
    await transaction
      .updateTable("authenticatorApps")
      .set({ confirmedAt: sql<Date>`now()` })
      .where("userId", "=", userId)
      .execute();
    return recordAdded(transaction, caller, { kind: "authenticator app" });
  });
  if (codes === null) {
    throw invalidField(
      "code",
      "This is not the code that the app shows now. Check the phone's clock, and try the next one.",
    );
  }
  return codes;
}

async function recordAdded(
  transaction: Transaction,
  caller: AdminCaller,
  after: { readonly kind: string; readonly name?: string },
): Promise<string[]> {
  const codes = await ensureRecoveryCodes(transaction, caller.userId);
  await recordSecurity(transaction, actorOf(caller), { action: "second_factor.added", before: null, after });
  return codes;
}

/** Recovery codes are for second factors: with the last one they go too. */
async function recordRemoved(
  transaction: Transaction,
  caller: AdminCaller,
  before: { readonly kind: string; readonly name?: string },
): Promise<void> {
  if (!hasSecondFactor(await readFactors(transaction, caller.userId))) {
    await deleteRecoveryCodes(transaction, caller.userId);
  }
  await recordSecurity(transaction, actorOf(caller), {
    action: "second_factor.removed",
    before,
    after: null,
  });
}

/** @throws ApiError NO_SECOND_FACTOR where there is none. */
export function removeAuthenticator(services: FactorServices, caller: AdminCaller): Promise<void> {
  return onAccount(services, caller, async (transaction) => {
    const removed = await transaction
      .deleteFrom("authenticatorApps")
      .where("userId", "=", caller.userId)
      .returning("confirmedAt")
      .executeTakeFirst();
    if (removed === undefined || removed.confirmedAt === null) {
      throw new ApiError("NO_SECOND_FACTOR", "There is no authenticator app.");
    }
    await recordRemoved(transaction, caller, { kind: "authenticator app" });
  });
}

export function beginPasskey(services: FactorServices, caller: AdminCaller, party: RelyingParty) {
  const user = { id: caller.userId, username: caller.username };
  return onAccount(services, caller, (transaction) => preparePasskey(transaction, party, user));
}

/** Adds a passkey that the browser has made. Returns the recovery codes of a first second factor. */
export async function addPasskey(
  services: FactorServices,
  caller: AdminCaller,
  {
    party,
    name,
    passkey,
  }: { readonly party: RelyingParty; readonly name: string; readonly passkey: NewPasskey },
): Promise<string[]> {
  const codes = await onAccount(services, caller, async (transaction) => {
    const isKept = await keepPasskey(transaction, party, { userId: caller.userId, name, passkey });
    return isKept ? recordAdded(transaction, caller, { kind: "passkey", name }) : null;
  });
  if (codes === null) throw invalidField("passkey", "The passkey was not accepted. Try again.");
  return codes;
}

/** @throws ApiError NOT_FOUND. */
export function removePasskey(services: FactorServices, caller: AdminCaller, id: string): Promise<void> {
  return onAccount(services, caller, async (transaction) => {
    const removed = await transaction
      .deleteFrom("passkeys")
      .where("userId", "=", caller.userId)
      .where("id", "=", id)
      .returning("name")
      .executeTakeFirst();
    if (removed === undefined) throw notFound("The passkey");
    await recordRemoved(transaction, caller, { kind: "passkey", name: removed.name });
  });
}

/** New recovery codes, told this once. @throws ApiError NO_SECOND_FACTOR: they would be for nothing. */
export function renewCodes(services: FactorServices, caller: AdminCaller): Promise<string[]> {
  return onAccount(services, caller, async (transaction) => {
    if (!hasSecondFactor(await readFactors(transaction, caller.userId))) {
      throw new ApiError(
        "NO_SECOND_FACTOR",
        "There is no second factor that recovery codes could stand in for.",
      );
    }
    const codes = await renewRecoveryCodes(transaction, caller.userId);
    await recordSecurity(transaction, actorOf(caller), {
      action: "recovery_codes.renewed",
      before: null,
      after: { codes: codes.length },
    });
    return codes;
  });
}
