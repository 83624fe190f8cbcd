import { ApiError } from "../../kernel/api-error.ts";
import type { OperationJob, OperationPause } from "../../operations/operations.ts";
import { isPlatformError, PlatformRejectedError, PlatformUnavailableError } from "../../shopify/shopify.ts";
import type { AdjustmentServices } from "../services.ts";
import { mayHaveMoved } from "./nothing-moved.ts";

/** While nothing has been moved a person waits for the answer, and each try may take seconds of its own. */
const personTimeoutMs = 8000;
/** For how long Shopify may take no requests before a move that has moved nothing is given up. */
const throttledTimeoutMs = 3_600_000;

const firstPauseMs = 1000;
const longestPauseMs: Record<OperationPause["reason"], number> = { throttled: 60_000, unavailable: 600_000 };

/**
 * The pauses of one deploy or rollback between a failure and its next try. Each is recorded before it begins, so that a
 * page shows it and a process that takes the work over doesn't ask Shopify earlier than it was told to; cancelling ends it.
 */
export class MovePauses {
  readonly #context: AdjustmentServices;
  readonly #job: OperationJob;
  #failures = 0;
  /** Since when it has not gone forward. */
  #since: number;
  /** Since when Shopify has not answered at all. */
  #silentSince: number;
  #isRecorded: boolean;

  constructor(context: AdjustmentServices, job: OperationJob) {
    this.#context = context;
    this.#job = job;
    const now = context.clock.now();
    this.#since = Math.min(now, job.leftIn?.since.getTime() ?? now);
    this.#silentSince = now;
    this.#isRecorded = job.leftIn !== null;
  }

  /** What is left of the pause that the process before this one was in, if Shopify had asked for it. */
  async finishEarlier(): Promise<void> {
    const { leftIn } = this.#job;
    if (leftIn?.reason !== "throttled") return;
    const [since, until] = [leftIn.since.getTime(), leftIn.until.getTime()];
    // A clock that was ahead when it was recorded, and was set back since, makes no pause longer.
    const left = Math.min(until - this.#context.clock.now(), until - since);
    if (left > 0) await this.#sleep(left);
  }

  /** Something has gone forward: the next pause is a first one again. */
  async over(): Promise<void> {
    this.#failures = 0;
    this.#since = this.#context.clock.now();
    this.#silentSince = this.#since;
    if (!this.#isRecorded) return;
    this.#isRecorded = false;
    await this.#job.pause(null);
  }

  /** Waits until the next try. Throws the error instead where nothing was moved and waiting is no use, or no longer. */
  async afterFailure(error: unknown): Promise<void> {
    const reason = reasonOf(error);
    const now = this.#context.clock.now();
    if (reason === "throttled") this.#silentSince = now;
    const milliseconds = this.#nextPause(reason, error);
    const giveUp = this.#reasonToGiveUp(error, reason, now + milliseconds);
    if (giveUp !== null && !(await mayHaveMoved(this.#context, this.#job))) throw giveUp;
    this.#log(error, milliseconds);
    await this.#record({ reason, until: new Date(now + milliseconds), since: new Date(this.#since) });
    await this.#sleep(milliseconds);
  }

  /** Twice as long as the last one, and at least as long as Shopify asks for. */
  #nextPause(reason: OperationPause["reason"], error: unknown): number {
    const asked = error instanceof PlatformUnavailableError ? (error.retryAfterMs ?? 0) : 0;
    const own = Math.min(longestPauseMs[reason], firstPauseMs * 2 ** this.#failures);
    this.#failures += 1;
    return Math.max(asked, own);
  }

  #reasonToGiveUp(error: unknown, reason: OperationPause["reason"], until: number): unknown {
    if (error instanceof ApiError || error instanceof PlatformRejectedError) return error;
    if (until - this.#since > throttledTimeoutMs && reason === "throttled") return askedTooLong();
    if (reason === "unavailable" && until - this.#silentSince > personTimeoutMs) return error;
    return null;
  }

  #log(error: unknown, pauseMs: number): void {
    const detail = isPlatformError(error) ? { detail: error.detail } : {};
    this.#context.logger.warn(
      { err: error, operation: this.#job.id, pauseMs, ...detail },
      "A deploy or rollback could not go on and will try again",
    );
  }

  /** Where the pause can't be recorded it is made all the same: the database may be what is away. */
  async #record(pause: OperationPause): Promise<void> {
    const { events, logger } = this.#context;
    const { id, sessionId, storeId } = this.#job;
    try {
      await this.#job.pause(pause);
      this.#isRecorded = true;
      events.publish({ type: "adjustment", sessionId: sessionId ?? "", storeId: storeId ?? "" });
    } catch (error) {
      logger.warn({ err: error, operation: id }, "The pause of a deploy or rollback could not be recorded");
    }
  }

  /** Cancelling ends it, unless what is on its way to Shopify has to be waited for all the same. */
  async #sleep(milliseconds: number): Promise<void> {
    const { signal, cancelled } = this.#job;
    const awake = cancelled.aborted ? signal : AbortSignal.any([signal, cancelled]);
    try {
      await this.#context.clock.sleep(milliseconds, awake);
    } catch (error) {
      if (signal.aborted || !cancelled.aborted) throw error;
    }
  }
}

function reasonOf(error: unknown): OperationPause["reason"] {
  return error instanceof PlatformUnavailableError && error.kind === "throttled"
    ? "throttled"
    : "unavailable";
}

function askedTooLong(): ApiError {
  return new ApiError(
    "PLATFORM_UNAVAILABLE",
    "Shopify has asked Stocktake to wait for more than an hour. Nothing was moved. Try again later.",
  );
}
