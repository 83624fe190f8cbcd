import { ApiError } from "./api-error.ts";

/** Does the work of several entries of one lane in one go; returns an outcome for each, in their order. */
type Work<Entry, Outcome> = (lane: string, entries: readonly Entry[]) => Promise<readonly Outcome[]>;

export interface GroupLimits {
  /** Entries that may wait or be worked on at a time, over all lanes; what would exceed it is refused. */
  readonly maximumWaiting: number;
  /** Entries in one transaction. */
  readonly maximumGroup: number;
  /** Groups of one lane under way at a time; while one waits for the disk, another can be worked on. */
  readonly groupsAtOnce: number;
}

interface Lane<Entry, Outcome> {
  readonly waiting: Waiting<Entry, Outcome>[];
  underWay: number;
}

interface Waiting<Entry, Outcome> {
  readonly entry: Entry;
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (error: unknown) => void;
}

/** What waits takes a few seconds at most. */
const retryAfterSeconds = 2;

/** PostgreSQL's classes of errors that one entry can cause to all: bad data, broken rules, rolled back by a clash. */
const causedByAnEntry = /^(?:22|23|40)/;

/**
 * Collects what arrives while a transaction or a query is under way and does it in the next one, so that many small
 * requests cost few. Each lane has few under way at a time; lanes do not wait for each other.
 */
export class GroupedWork<Entry, Outcome> {
  private readonly work: Work<Entry, Outcome>;
  private readonly limits: GroupLimits;
  private readonly lanes = new Map<string, Lane<Entry, Outcome>>();
  private inHand = 0;

  constructor(work: Work<Entry, Outcome>, limits: GroupLimits) {
    this.work = work;
    this.limits = limits;
  }

  /** Throws OVERLOADED where so many more entries don't fit. */
  requireRoom(entries: number): void {
    if (this.inHand + entries <= this.limits.maximumWaiting) return;
    const message = "The server is overloaded. Nothing was stored; try again shortly.";
    throw new ApiError("OVERLOADED", message, { retryAfterSeconds });
  }

  /**
   * Takes all entries or none: throws OVERLOADED at once, with nothing done, when they don't fit. Resolves when the
   * last is settled; one that failed does not keep the others from their outcomes.
   */
  submit(
    entries: readonly { readonly lane: string; readonly entry: Entry }[],
  ): Promise<PromiseSettledResult<Outcome>[]> {
    this.requireRoom(entries.length);
    this.inHand += entries.length;
    return Promise.allSettled(entries.map(({ lane, entry }) => this.enter(lane, entry)));
  }

  /** Takes one entry. Throws OVERLOADED at once where it doesn't fit; rejects with what its own work failed with. */
  async submitOne(lane: string, entry: Entry): Promise<Outcome> {
    this.requireRoom(1);
    this.inHand += 1;
    return this.enter(lane, entry);
  }

  private enter(name: string, entry: Entry): Promise<Outcome> {
    return new Promise<Outcome>((settle, fail) => {
      const lane = this.lanes.get(name) ?? { waiting: [], underWay: 0 };
      this.lanes.set(name, lane);
      lane.waiting.push({ entry, settle, fail });
      if (lane.underWay >= this.limits.groupsAtOnce) return;
      lane.underWay += 1;
      // After this turn of the event loop: what came with the same read from the network goes together.
      setImmediate(() => void this.drain(name, lane));
    }).finally(() => {
      this.inHand -= 1;
    });
  }

  private async drain(name: string, lane: Lane<Entry, Outcome>): Promise<void> {
    while (lane.waiting.length > 0) {
      await this.settleGroup(name, lane.waiting.splice(0, this.limits.maximumGroup));
    }
    lane.underWay -= 1;
    if (lane.underWay === 0) this.lanes.delete(name);
  }

  private async settleGroup(lane: string, group: readonly Waiting<Entry, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.work(
        lane,
        group.map(({ entry }) => entry),
      );
      group.forEach(({ settle, fail }, index) => {
        const outcome = outcomes[index];
        if (outcome === undefined) fail(new Error("An entry of a group was left without an outcome."));
        else settle(outcome);
      });
    } catch (error) {
      if (group.length > 1 && mayBeOneEntrys(error)) await this.settleOneByOne(lane, group);
      else for (const { fail } of group) fail(error);
    }
  }

  /** The group was rolled back; alone, each shows whether it was the one to blame. */
  private async settleOneByOne(lane: string, group: readonly Waiting<Entry, Outcome>[]): Promise<void> {
    for (const waiting of group) await this.settleGroup(lane, [waiting]);
  }
}

function mayBeOneEntrys(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    causedByAnEntry.test(error.code)
  );
}
