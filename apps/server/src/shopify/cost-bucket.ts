import type { Clock } from "../kernel/clock.ts";
import type { QueryCost } from "./graphql-answer.ts";

/** Points taken for one call that is under way. */
interface CostShare {
  /** To be called once, when the call is over: with the cost its answer reported, or null without one. */
  settle(cost: QueryCost | null): void;
}

/** Points that calls have cost, and what is left of the bucket by our estimate. */
export interface CostBudget {
  /** Since this process began, by what the answers reported. */
  readonly spent: number;
  readonly available: number;
  readonly maximum: number;
  readonly restoredPerSecond: number;
}

/** An estimate of the points the platform has left for us, kept so that it need not refuse us. */
export interface CostBucket {
  /** Waits until the points are there, first come first served, and takes them. */
  take(points: number, signal?: AbortSignal): Promise<CostShare>;
  budget(): CostBudget;
}

// The bucket of a standard plan is the smallest one described; the first answer brings the real figures.
const initialBudget = { maximumAvailable: 1000, currentlyAvailable: 1000, restoreRate: 50 };

export function createCostBucket(clock: Clock): CostBucket {
  let status: QueryCost["throttleStatus"] = initialBudget;
  let measuredAt = clock.steady();
  let underWay = 0;
  let spent = 0;
  let lastInLine: Promise<void> = Promise.resolve();

  function available(): number {
    const restored = ((clock.steady() - measuredAt) / 1000) * status.restoreRate;
    return Math.min(status.maximumAvailable, status.currentlyAvailable + restored);
  }

  function measured(currentlyAvailable: number, rest: Omit<typeof status, "currentlyAvailable">): void {
    status = { ...rest, currentlyAvailable };
    measuredAt = clock.steady();
  }

  async function waitFor(points: number, signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      const missing = Math.min(points, status.maximumAvailable) - available();
      if (missing <= 0) return;
      await clock.sleep(Math.ceil((missing / status.restoreRate) * 1000), signal);
    }
  }

  function share(points: number): CostShare {
    measured(available() - points, status);
    underWay += points;
    return {
      settle(cost) {
        underWay -= points;
        // The report leaves out what is still on its way to the platform.
        if (!cost) return;
        spent += cost.requestedQueryCost;
        measured(cost.throttleStatus.currentlyAvailable - underWay, cost.throttleStatus);
      },
    };
  }

  return {
    budget: () => ({
      spent,
      available: Math.max(0, Math.floor(available())),
      maximum: status.maximumAvailable,
      restoredPerSecond: status.restoreRate,
    }),
    async take(points, signal) {
      const turn = lastInLine;
      let nextPlease = (): void => undefined;
      lastInLine = new Promise((resolve) => {
        nextPlease = resolve;
      });
      try {
        await turn;
        await waitFor(points, signal);
        return share(points);
      } finally {
        nextPlease();
      }
    },
  };
}
