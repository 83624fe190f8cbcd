import type { SecondFactorMethod } from "@stocktake/contract";
import type { Database, Transaction } from "../../database/pool.ts";

/** The second factors of a user. */
export interface Factors {
  readonly authenticatorAt: Date | null;
  readonly passkeys: readonly KeptPasskey[];
  readonly recoveryCodes: number;
}

interface KeptPasskey {
  readonly id: string;
  readonly name: string;
  readonly credentialId: string;
  readonly transports: readonly string[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

export async function readFactors(database: Database, userId: string): Promise<Factors> {
  const authenticator = await database
    .selectFrom("authenticatorApps")
    .select("confirmedAt")
    .where("userId", "=", userId)
    .executeTakeFirst();
  const passkeys = await database
    .selectFrom("passkeys")
    .select(["id", "name", "credentialId", "transports", "createdAt", "lastUsedAt"])
    .where("userId", "=", userId)
    .orderBy("createdAt")
    .execute();
  const codes = await database
    .selectFrom("recoveryCodes")
    .select("codeHash")
    .where("userId", "=", userId)
    .execute();
  return { authenticatorAt: authenticator?.confirmedAt ?? null, passkeys, recoveryCodes: codes.length };
}

export function hasSecondFactor({ authenticatorAt, passkeys }: Factors): boolean {
  return authenticatorAt !== null || passkeys.length > 0;
}

/** How a second factor can be shown; none where there is none, as recovery codes are for those alone. */
export function methodsOf(factors: Factors): SecondFactorMethod[] {
  if (!hasSecondFactor(factors)) return [];
  return [
    ...(factors.authenticatorAt === null ? [] : (["code"] as const)),
    ...(factors.passkeys.length === 0 ? [] : (["passkey"] as const)),
    ...(factors.recoveryCodes === 0 ? [] : (["recovery_code"] as const)),
  ];
}

/**
 * Takes turns with whatever else changes the account or checks a factor of it, before anything of it is read: so no code
 * serves two at once, and no login is made while another call ends them all.
 */
export async function lockAccount(transaction: Transaction, userId: string): Promise<void> {
  await transaction.selectFrom("users").select("id").where("id", "=", userId).forNoKeyUpdate().execute();
}

/** Takes every second factor away, and what waits for one. Returns how many there were. */
export async function clearSecondFactors(transaction: Transaction, userId: string): Promise<number> {
  const apps = await transaction
    .deleteFrom("authenticatorApps")
    .where("userId", "=", userId)
    .returning("confirmedAt")
    .execute();
  const passkeys = await transaction
    .deleteFrom("passkeys")
    .where("userId", "=", userId)
    .returning("id")
    .execute();
  await transaction.deleteFrom("recoveryCodes").where("userId", "=", userId).execute();
  await transaction.deleteFrom("passkeyChallenges").where("userId", "=", userId).execute();
  return apps.filter(({ confirmedAt }) => confirmedAt !== null).length + passkeys.length;
}
