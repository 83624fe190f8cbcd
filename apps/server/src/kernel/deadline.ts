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
