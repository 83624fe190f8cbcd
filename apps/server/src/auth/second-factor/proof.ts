import type { Proof } from "@stocktake/contract";
import { sql } from "kysely";
import { actorOf } from "../../audit/audit.ts";
import type { Database, Transaction } from "../../database/pool.ts";
import { ApiError, invalidField } from "../../kernel/api-error.ts";
import type { AdminCaller, Caller } from "../../kernel/caller.ts";
import { isUnchanged } from "../account-queries.ts";
import { checkOwnPassword, type OwnVisit } from "../sign-in.ts";
import { checkFactor, recordUse } from "./check-factor.ts";
import { lockAccount } from "./factor-queries.ts";
import type { RelyingParty } from "./relying-party.ts";
import type { SecondFactorServices } from "./services.ts";
import { clearWrong, countWrongFactor } from "./wrong-factors.ts";

/** So long nobody is asked again who has given the password or a second factor. */
const proofMinutes = 10;

/** Notes that the login's holder has just shown to be its owner. */
export async function noteProof(transaction: Transaction, { loginHash }: Caller): Promise<Date> {
  const { rows } = await sql<{ until: Date }>`
    update logins set proved_at = now() where token_hash = ${loginHash}
    returning proved_at + make_interval(mins => ${proofMinutes}) as until`.execute(transaction);
  return rows[0]?.until ?? new Date(0);
}

/**
 * The SQL of the setting: whether a deploy or rollback asks the user in the row `person` for a proof. Where nobody chose,
 * it does for an account that has a second factor.
 */
export const proofBeforeMoves = sql<boolean>`coalesce(person.proof_before_moves,
  exists (select from authenticator_apps app where app.user_id = person.id and app.confirmed_at is not null)
  or exists (select from passkeys passkey where passkey.user_id = person.id))`;

/** For what moves stock. @throws ApiError REAUTHENTICATION_REQUIRED where the setting asks for a proof and there is none. */
export async function requireProofBeforeMove(database: Database, caller: AdminCaller): Promise<void> {
  await requireProofWhere(database, caller, proofBeforeMoves);
}

/** For what changes how the account is guarded. @throws ApiError REAUTHENTICATION_REQUIRED where there is no proof. */
export async function requireProof(database: Database, caller: AdminCaller): Promise<void> {
  await requireProofWhere(database, caller, sql<boolean>`true`);
}

async function requireProofWhere(database: Database, caller: AdminCaller, isAsked: typeof proofBeforeMoves) {
  const { rows } = await sql<{ isMissing: boolean }>`
    select ${isAsked} and coalesce(login.proved_at < now() - make_interval(mins => ${proofMinutes}), true) as is_missing
    from logins login join users person on person.id = login.user_id
    where login.token_hash = ${caller.loginHash}`.execute(database);
  if (rows[0]?.isMissing === false) return;
  throw new ApiError(
    "REAUTHENTICATION_REQUIRED",
    "Confirm that it is you: enter your password again, or show a second factor. Nothing was changed.",
  );
}

interface GivenProof {
  readonly visit: OwnVisit;
  readonly proof: Proof;
  readonly party: () => RelyingParty;
}

/** Takes a proof for the minutes that follow; returns their end. @throws ApiError VALIDATION for a wrong one, RATE_LIMITED. */
export async function giveProof(services: SecondFactorServices, given: GivenProof): Promise<Date> {
  const { proof, visit } = given;
  const { caller } = visit;
  if (proof.method === "password") return proveByPassword(services, given, proof.password);
  const until = await services.database.transaction().execute(async (transaction) => {
    await lockAccount(transaction, caller.userId);
    const shown = { userId: caller.userId, factor: proof, purpose: "proof", party: given.party } as const;
    if (!(await checkFactor(services, transaction, shown))) {
      await countWrongFactor(transaction, caller.userId, visit);
      return null;
    }
    await clearWrong(transaction, "second_factor", caller.userId, visit);
    const noted = await noteProof(transaction, caller);
    await recordUse(transaction, {
      factor: proof,
      actor: { ...actorOf(caller), id: caller.userId },
      name: caller.username,
    });
    return noted;
  });
  if (until === null) throw wrongProof(proof.method);
  return until;
}

async function proveByPassword(
  { checks, database }: SecondFactorServices,
  { visit }: GivenProof,
  password: string,
): Promise<Date> {
  const account = await checkOwnPassword(checks, visit, password);
  if (account === null) throw wrongProof("password");
  return database.transaction().execute(async (transaction) => {
    if (!(await isUnchanged(transaction, account))) throw wrongProof("password");
    return noteProof(transaction, visit.caller);
  });
}

/** Not 401, with which the app would take the login for ended. */
function wrongProof(method: Proof["method"]): ApiError {
  if (method === "password") return invalidField("password", "The password is wrong.");
  if (method === "passkey") return invalidField("passkey", "This passkey was not accepted. Try again.");
  return invalidField("code", "The code is wrong, or was used already.");
}
