import { availableParallelism } from "node:os";
import { hash, type Options, verify } from "@node-rs/argon2";
import { ApiError } from "../kernel/api-error.ts";

/** Hashes and compares passwords. */
export interface Passwords {
  /** The argon2id hash in PHC notation, as it is stored. */
  hash(password: string): Promise<string>;
  /** Whether the password is the one of `stored`. Null, for nobody's, is false after as long a time. */
  matches(stored: string | null, password: string): Promise<boolean>;
}

/** argon2id, which is the package's default, with the OWASP Password Storage Cheat Sheet's parameters. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } satisfies Options;

/** No password has this hash; comparing with it takes as long as with a real one. */
const nobodysHash = `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$${unpadded(16)}$${unpadded(parameters.outputLen)}`;

function unpadded(bytes: number): string {
  return Buffer.alloc(bytes).toString("base64").replaceAll("=", "");
}

interface GateOptions {
  /** How many pieces of work run at the same time. */
  readonly atOnce: number;
  /** How many more may wait for their turn. */
  readonly waiting: number;
}

/** Runs work when its turn has come. Throws ApiError OVERLOADED when too many are waiting already. */
type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>;

const retryAfterSeconds = 5;

/** Lets `atOnce` pieces of work through at a time, the others in the order in which they came. */
export function createGate({ atOnce, waiting }: GateOptions): Gate {
  let running = 0;
  const line: (() => void)[] = [];

  async function enter(): Promise<void> {
    if (running < atOnce) running += 1;
    else if (line.length >= waiting) {
      throw new ApiError(
        "OVERLOADED",
        "Too many people are signing in right now. Try again in a few seconds.",
        {
          retryAfterSeconds,
        },
      );
    } else await new Promise<void>((resolve) => line.push(resolve));
  }

  // Whoever leaves passes the turn on, so that nobody who comes later can slip in between.
  function leave(): void {
    const next = line.shift();
    if (next === undefined) running -= 1;
    else next();
  }

  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}

/**
 * Half of the processors at a time, so that signing in, however many do it at once, never takes all of them from
 * the scans. What waits longer than a person would is refused with OVERLOADED.
 */
export function createPasswords({
  atOnce = Math.max(1, Math.floor(availableParallelism() / 2)),
  waiting = 200,
}: Partial<GateOptions> = {}): Passwords {
  const gate = createGate({ atOnce, waiting });
  return {
    hash: (password) => gate(() => hash(password, parameters)),
    matches: (stored, password) =>
      gate(async () => (await verify(stored ?? nobodysHash, password)) && stored !== null),
  };
}
