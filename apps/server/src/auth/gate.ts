import { ApiError } from "../kernel/api-error.ts";

export interface GateOptions {
  /** How many pieces of work run at the same time. */
  readonly atOnce: number;
  /** How many more may wait for their turn. */
  readonly waiting: number;
}

/** Runs work when its turn has come. Throws ApiError OVERLOADED when too many are waiting already. */
export type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>;

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
