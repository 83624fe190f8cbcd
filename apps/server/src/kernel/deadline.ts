import type { Clock } from "./clock.ts";

/** The work was stopped because its time was over. */
export class DeadlineError extends Error {
  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds} ms`);
    this.name = "DeadlineError";
  }
}

/**
 * Runs work that must end within some milliseconds; the work gets a signal and has to obey it.
 * Throws a DeadlineError when the time was over, the caller's own reason when the caller's signal
 * aborted, else whatever the work throws.
 */
export async function withDeadline<Result>(
  clock: Clock,
  milliseconds: number,
  callerSignal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  callerSignal?.throwIfAborted();
  const stop = new AbortController();
  const settled = new AbortController();
  callerSignal?.addEventListener("abort", () => stop.abort(callerSignal.reason), { signal: settled.signal });
  // The sleep rejects only because the work has settled: there is nothing left to stop then.
  clock.sleep(milliseconds, settled.signal).then(
    () => stop.abort(new DeadlineError(milliseconds)),
    () => undefined,
  );
  try {
    return await work(stop.signal);
  } catch (error) {
    // fetch reports an abort during the body as an error of its own instead of the reason given.
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    settled.abort();
  }
}

/** Waits that have a limit each, one after the other. */
export interface LimitedWaits {
  /**
   * Waits for one piece of the work, which has to obey the signal. Throws as `withDeadline`, and what stopped an earlier wait
   * at once.
   */
  wait<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  /** Aborts the signal and watches no more; to be called once nothing more is waited for, however it came to that. */
  end(): void;
}

/**
 * As `withDeadline` for work that comes in many pieces, of which each may take so many milliseconds; what goes on between two waits
 * does not count. One timer serves them all: one for each piece of a large download takes longer than reading it.
 */
export function limitWaits(
  clock: Clock,
  milliseconds: number,
  callerSignal: AbortSignal | undefined,
): LimitedWaits {
  const stop = new AbortController();
  const settled = new AbortController();
  let since: number | null = null;
  if (callerSignal?.aborted) stop.abort(callerSignal.reason);
  callerSignal?.addEventListener("abort", () => stop.abort(callerSignal.reason), { signal: settled.signal });
  const watch = async (): Promise<void> => {
    for (let pause = milliseconds; ; ) {
      await clock.sleep(pause, settled.signal);
      const waited = since === null ? 0 : clock.steady() - since;
      if (waited >= milliseconds) return stop.abort(new DeadlineError(milliseconds));
      pause = milliseconds - waited;
    }
  };
  // The sleep rejects only because nothing is waited for any more.
  watch().catch(() => undefined);
  return {
    async wait(work) {
      stop.signal.throwIfAborted();
      since = clock.steady();
      try {
        return await work(stop.signal);
      } catch (error) {
        throw stop.signal.aborted ? stop.signal.reason : error;
      } finally {
        since = null;
      }
    },
    end() {
      settled.abort();
      stop.abort();
    },
  };
}
