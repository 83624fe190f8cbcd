import { expect, inject, vi } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** How slowly the tests' servers answer; null where they answer at once. */
    slowAnswers: SlowAnswers | null;
  }
}

/** Calls and their answers are each under way for at most so many milliseconds, as the seed has it. */
export interface SlowAnswers {
  readonly mostMs: number;
  readonly seed: string;
}

const slowAnswers = inject("slowAnswers");

// A test may put a clock of its own in its place.
const { setTimeout } = globalThis;

/** The same number from 0 to 1 for the same text. */
function numberOf(text: string): number {
  let hash = 2_166_136_261;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 16), 2_246_822_507);
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** Half of all are short, so that many answers overtake others. */
function durationOf(leg: string, { mostMs, seed }: SlowAnswers): number {
  const name = `${seed} ${expect.getState().currentTestName} ${leg}`;
  const share = numberOf(name);
  return (numberOf(`${name} short`) < 0.5 ? share / 10 : share) * mostMs;
}

function pass(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      // A busy machine is no server that does not answer in time.
      if (signal?.reason?.name !== "TimeoutError") reject(signal?.reason);
    };
    if (signal?.aborted === true) giveUp();
    signal?.addEventListener("abort", giveUp, { once: true });
    setTimeout(resolve, ms);
  });
}

/** The calls that a test's server was sent, counted so that how long each takes can be repeated. */
export class SlowCalls {
  private readonly sent = new Map<string, number>();

  /**
   * Gives what `respond` makes, which is asked for when the call has arrived: at once, or by SLOW_ANSWERS after a while.
   * How long depends on the seed, on the test, and on how often it made this call, so that it can be repeated. A test
   * with a clock of its own is answered at once: it says itself what happens when.
   */
  answer(
    call: string,
    signal: AbortSignal | null | undefined,
    respond: () => Response | Promise<Response>,
  ): Response | Promise<Response> {
    return slowAnswers === null || vi.isFakeTimers()
      ? respond()
      : this.late(call, signal, respond, slowAnswers);
  }

  private async late(
    call: string,
    signal: AbortSignal | null | undefined,
    respond: () => Response | Promise<Response>,
    slowness: SlowAnswers,
  ): Promise<Response> {
    const turn = (this.sent.get(call) ?? 0) + 1;
    this.sent.set(call, turn);
    await pass(durationOf(`${call} ${turn} there`, slowness), signal);
    const answer = await respond();
    await pass(durationOf(`${call} ${turn} back`, slowness), signal);
    return answer;
  }
}
