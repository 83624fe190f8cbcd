import { ApiError, NoAnswerError } from "./errors.ts";

/** The server can't do it now, and may later. */
export function isBusy(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** Waits where the server asks for it, and tries again. */
export interface Retry {
  /** Makes a call; while the server is busy or does not respond, waits and makes it again. Throws what it gives up on. */
  call<Answer>(make: () => Promise<Answer>): Promise<Answer>;
  /** Waits as `error` asks. Throws it after too many waits without progress. */
  wait(error: unknown): Promise<void>;
  /** Something went through: the waits begin anew. */
  progressed(): void;
}

interface RetryPorts {
  /** Runs something later; returns what cancels it. */
  readonly timers: { after(milliseconds: number, work: () => void): () => void };
  /** Ends every wait at once. */
  readonly signal: AbortSignal;
  readonly onWait: (isWaiting: boolean) => void;
}

const firstWaitMs = 1_000;
const longestWaitMs = 30_000;
// With the doubling waits about two minutes: then a person is told.
const waitsWithoutProgress = 8;

function mayPass(error: unknown): boolean {
  return error instanceof NoAnswerError || (error instanceof ApiError && isBusy(error.status));
}

export function createRetry({ timers, signal, onWait }: RetryPorts): Retry {
  let waits = 0;

  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = timers.after(milliseconds, resolve);
      const stop = () => {
        cancel();
        reject(signal.reason);
      };
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
    });
  }

  async function wait(error: unknown): Promise<void> {
    waits += 1;
    if (waits > waitsWithoutProgress) throw error;
    const own = Math.min(longestWaitMs, firstWaitMs * 2 ** (waits - 1));
    const asked = error instanceof ApiError ? error.retryAfterMs : null;
    onWait(true);
    await pause(asked ?? own);
    onWait(false);
  }

  return {
    wait,
    progressed() {
      waits = 0;
    },
    async call(make) {
      for (;;) {
        signal.throwIfAborted();
        try {
          return await make();
        } catch (error) {
          if (signal.aborted || !mayPass(error)) throw error;
          await wait(error);
        }
      }
    },
  };
}
