import type { SecondFactor } from "@stocktake/contract";
import type { Transaction } from "../../database/pool.ts";
import { ApiError } from "../../kernel/api-error.ts";
import { createLogin, type OpenedLogin } from "../login-queries.ts";
import { browserName } from "../logins/browser-name.ts";
import { recordSignIn } from "../record-sign-in.ts";
import type { Visit } from "../sign-in.ts";
import { countWrongAnswer, endChallenge, findChallenged } from "./challenges.ts";
import { checkFactor, recordUse } from "./check-factor.ts";
import { lockAccount } from "./factor-queries.ts";
import { askForPasskey } from "./passkeys.ts";
import type { RelyingParty } from "./relying-party.ts";
import type { FactorServices } from "./services.ts";
import { clearWrong, countWrongFactor } from "./wrong-factors.ts";

interface ShownAtSignIn {
  readonly challenge: string;
  readonly factor: SecondFactor;
  readonly party: () => RelyingParty;
}

/** Finishes a login whose password was right. @throws ApiError UNAUTHENTICATED, CHALLENGE_OVER, RATE_LIMITED. */
export async function finishSignIn(
  services: FactorServices,
  { challenge, factor, party }: ShownAtSignIn,
  visit: Visit,
): Promise<OpenedLogin> {
  const { database } = services;
  const opened = await database.transaction().execute(async (transaction) => {
    const userId = await lockChallenged(transaction, challenge);
    if (!(await checkFactor(services, transaction, { userId, factor, purpose: "sign_in", party }))) {
      await countWrongAnswer(transaction, challenge);
      await countWrongFactor(transaction, userId, visit);
      return null;
    }
    await endChallenge(transaction, challenge);
    await clearWrongOnes(transaction, userId, visit);
    const browser = browserName(visit.headers["user-agent"]);
    const login = await createLogin(transaction, { id: userId, isTemporary: false }, visit.caller, browser);
    await recordSignIn(transaction, login, visit);
    const { username } = login.caller;
    await recordUse(transaction, {
      factor,
      actor: { kind: "admin", id: userId, name: username },
      name: username,
    });
    return login;
  });
  if (opened === null) throw new ApiError("UNAUTHENTICATED", refusalOf(factor));
  return opened;
}

/** Wrong passwords too: the right one alone, which somebody may have who has not got the second factor, took none of them back. */
async function clearWrongOnes(transaction: Transaction, userId: string, visit: Visit): Promise<void> {
  for (const kind of ["admin", "second_factor"] as const) await clearWrong(transaction, kind, userId, visit);
}

/** Whose challenge it is, once nobody else works on the account. Looked at before too: a made-up one makes nobody wait. */
async function lockChallenged(transaction: Transaction, challenge: string): Promise<string> {
  await lockAccount(transaction, await findChallenged(transaction, challenge));
  return findChallenged(transaction, challenge);
}

function refusalOf({ method }: SecondFactor): string {
  return method === "passkey"
    ? "This passkey was not accepted. Try again."
    : "The code is wrong, or was used already.";
}

/** What a browser needs to finish a login with a passkey. @throws ApiError CHALLENGE_OVER, PASSKEYS_UNAVAILABLE. */
export async function askForPasskeyAtSignIn(
  { database }: FactorServices,
  challenge: string,
  party: () => RelyingParty,
) {
  const userId = await findChallenged(database, challenge);
  return database
    .transaction()
    .execute((transaction) => askForPasskey(transaction, party(), { userId, purpose: "sign_in" }));
}
