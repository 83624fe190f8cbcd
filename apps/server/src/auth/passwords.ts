import { availableParallelism } from "node:os";
import { hash, type Options, verify } from "@node-rs/argon2";
import { type Asker, createSignInQueue } from "./sign-in-queue.ts";

/** Hashes and compares passwords. */
export interface Passwords {
  /** The argon2id hash in PHC notation, as it is stored. */
  hash(password: string): Promise<string>;
  /**
   * Whether the password is the one of `stored`. Null, for nobody's, is false after as long a time. Strangers wait for
   * everybody who is known.
   */
  matches(stored: string | null, password: string, asker?: Asker): Promise<boolean>;
}

/** argon2id, which is the package's default, with the OWASP Password Storage Cheat Sheet's parameters. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } satisfies Options;

const { memoryCost, timeCost, parallelism, outputLen } = parameters;
const [salt, digest] = [16, outputLen].map((bytes) => Buffer.alloc(bytes).toString("base64url"));

/** No password has this hash; comparing with it takes as long as with a real one. */
export const nobodysHash = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${salt}$${digest}`;

/** How many passwords are worked on at a time. */
export function shareOf(processors: number): number {
  return Math.max(1, Math.floor(processors / 2));
}

/**
 * Half of the processors at a time, so that signing in, however many do it at once, never takes all of them from
 * the scans. What waits longer than a person would is refused with OVERLOADED.
 */
export function createPasswords(): Passwords {
  const inTurn = createSignInQueue({ atOnce: shareOf(availableParallelism()), waiting: 200 });
  return {
    hash: (password) => inTurn("known", () => hash(password, parameters)),
    matches: (stored, password, asker = "known") =>
      inTurn(asker, async () => (await verify(stored ?? nobodysHash, password)) && stored !== null),
  };
}
