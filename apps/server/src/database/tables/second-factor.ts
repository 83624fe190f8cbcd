import type { Generated } from "kysely";
import type { Created, NullableTime } from "./columns.ts";

interface AuthenticatorAppsTable {
  userId: string;
  sealedSecret: Buffer;
  confirmedAt: NullableTime;
  lastStep: Generated<number>;
  wrongCodes: Generated<number>;
  wrongSince: NullableTime;
  createdAt: Created;
}

interface RecoveryCodesTable {
  codeHash: Buffer;
  userId: string;
  createdAt: Created;
}

interface PasskeysTable {
  id: Generated<string>;
  userId: string;
  name: string;
  credentialId: string;
  publicKey: Buffer;
  signCount: number;
  transports: string[];
  createdAt: Created;
  lastUsedAt: NullableTime;
}

interface SignInChallengesTable {
  tokenHash: Buffer;
  userId: string;
  wrongAnswers: Generated<number>;
  strangerAddress: string | null;
  expiresAt: Date;
}

interface PasskeyChallengesTable {
  challenge: string;
  userId: string;
  purpose: "sign_in" | "proof" | "creation";
  expiresAt: Date;
}

export interface SecondFactorTables {
  authenticatorApps: AuthenticatorAppsTable;
  recoveryCodes: RecoveryCodesTable;
  passkeys: PasskeysTable;
  signInChallenges: SignInChallengesTable;
  passkeyChallenges: PasskeyChallengesTable;
}
