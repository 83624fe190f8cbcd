import type { OtherTabs, TabMessage, Timers } from "./messages.ts";

/** Decides which one tab of a browser leads. */
export interface Leadership {
  /** How many questions in a row a leader may leave unanswered before another tab seizes the lead. */
  readonly unansweredLimit: number;
  /** Leads as soon as no other tab does. */
  wait(): void;
  /** Takes the lead from a tab that is silent. */
  seize(): void;
  /** Gives up the lead, or the wait for it. */
  leave(): void;
  /** What another tab said. */
  hear(message: TabMessage): void;
}

export interface LeadershipEvents {
  readonly onLead: () => void;
  /** Another tab leads instead; this one waits again. */
  readonly onLost: () => void;
}

/** What is used of the browser's LockManager. */
export interface TabLocks {
  request(name: string, options: LockOptions, work: () => Promise<void>): Promise<void>;
}

/**
 * By the browser's own lock: released by the browser at once when a tab closes, crashes or is discarded. A tab that a phone
 * has suspended keeps it, so a silent leader's lock is stolen.
 */
export function createLockLeadership(
  locks: TabLocks,
  name: string,
  { onLead, onLost }: LeadershipEvents,
): Leadership {
  let end = () => {};
  const request = (steal: boolean) => {
    end();
    const waiting = new AbortController();
    let release = () => {};
    let isLeading = false;
    end = () => {
      waiting.abort();
      release();
    };
    const lead = () =>
      new Promise<void>((resolve) => {
        if (waiting.signal.aborted) return resolve();
        release = resolve;
        isLeading = true;
        onLead();
      });
    locks.request(name, steal ? { steal } : { signal: waiting.signal }, lead).catch((error: unknown) => {
      if (waiting.signal.aborted) return;
      if (isLeading) {
        onLost();
        return request(false);
      }
      // A browser that refuses the lock: this tab has a stream of its own.
      globalThis.reportError(error);
      void lead();
    });
  };
  return {
    // The browser notices the end of a leader: these are seconds for a suspended one.
    unansweredLimit: 5,
    wait: () => request(false),
    seize: () => request(true),
    leave: () => end(),
    hear: () => {},
  };
}

/** Long enough for a leader to object, and for the other bids of that moment. */
const bidMs = 200;

interface BidPorts {
  readonly tab: string;
  readonly timers: Timers;
  readonly tell: OtherTabs["tell"];
}

/**
 * By agreement over the channel, for pages without Web Locks (plain http): a tab bids, and leads where no leader objects. Of
 * several bids, and of two leaders that ever meet, the smaller name goes first.
 */
export function createBidLeadership(
  { tab, timers, tell }: BidPorts,
  { onLead, onLost }: LeadershipEvents,
): Leadership {
  let state: "away" | "waiting" | "leading" = "away";
  let cancel = () => {};
  const bid = () => {
    cancel();
    state = "waiting";
    tell({ kind: "bid", from: tab });
    cancel = timers.after(bidMs, () => {
      state = "leading";
      onLead();
    });
  };
  const giveWay = () => {
    cancel();
    if (state !== "leading") return;
    state = "waiting";
    onLost();
  };
  return {
    // Nothing else tells of a tab that died without a word; a tab that is loading on a slow machine is silent too.
    unansweredLimit: 3,
    wait: bid,
    seize: bid,
    leave() {
      cancel();
      state = "away";
    },
    hear({ kind, from }) {
      if (state === "away") return;
      if (kind === "left") {
        if (state === "waiting") bid();
      } else if (kind === "bid") {
        if (state === "waiting" && from < tab) cancel();
      } else if (kind !== "ask" && (state === "waiting" || from < tab)) giveWay();
    },
  };
}
