import { ApiError } from "../kernel/api-error.ts";

interface QueueOptions {
  /** How many pieces of work run at the same time. */
  readonly atOnce: number;
  /** How many more may wait for their turn. */
  readonly waiting: number;
}

/** Who asks: somebody known (signed in, or with the mark of a browser that has signed in before), or a stranger. */
export type Asker = "known" | "stranger";

/** Runs work when its turn has come. Throws ApiError OVERLOADED when too many are waiting already. */
export type SignInQueue = <Result>(asker: Asker, work: () => Promise<Result>) => Promise<Result>;

interface Waiting {
  enter(): void;
  refuse(error: ApiError): void;
}

const retryAfterSeconds = 5;

function overloaded(): ApiError {
  const message = "Too many people are signing in right now. Try again in a few seconds.";
  return new ApiError("OVERLOADED", message, { retryAfterSeconds });
}

/**
 * Lets `atOnce` pieces of work through at a time: those of known people first, each kind in the order in which they came.
 * Where the line is full a stranger is refused, and somebody known takes the place of the stranger who came last.
 */
export function createSignInQueue({ atOnce, waiting }: QueueOptions): SignInQueue {
  let running = 0;
  const known: Waiting[] = [];
  const strangers: Waiting[] = [];

  function makeRoom(asker: Asker): void {
    if (known.length + strangers.length < waiting) return;
    const last = asker === "known" ? strangers.pop() : undefined;
    if (last === undefined) throw overloaded();
    last.refuse(overloaded());
  }

  async function enter(asker: Asker): Promise<void> {
    if (running < atOnce) {
      running += 1;
      return;
    }
    makeRoom(asker);
    const line = asker === "known" ? known : strangers;
    await new Promise<void>((resolve, reject) => line.push({ enter: resolve, refuse: reject }));
  }

  // Whoever leaves passes the turn on, so that nobody who comes later can slip in between.
  function leave(): void {
    const next = known.shift() ?? strangers.shift();
    if (next === undefined) running -= 1;
    else next.enter();
  }

  return async (asker, work) => {
    await enter(asker);
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
