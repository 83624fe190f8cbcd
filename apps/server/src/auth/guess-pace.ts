/** What strangers' browsers have lately tried at one account, and the one that tries now among them. */
export interface Strangers {
  /** Wrong passwords of all of them in the last 15 minutes, and in the last day; counted no further than the limits. */
  readonly lately: number;
  readonly today: number;
  /** Wrong passwords of this one's address in the last day, and the seconds since the last of them. */
  readonly own: number;
  readonly ownSecondsAgo: number;
  /** When the next place in the line of newcomers, and of others, is free: milliseconds from now. */
  readonly newcomersFreeInMs: number;
  readonly othersFreeInMs: number;
}

/** How a stranger's guess goes on: checked after a wait, or refused until later. */
export interface Pace {
  /** The first try of its address at this account today. */
  readonly newcomer: boolean;
  readonly waitMs: number;
  /** 0 where it is not refused. */
  readonly refusedForSeconds: number;
}

/** From here on strangers guess at the account: ten addresses that use up what is theirs, or fewer that take a day. */
export const attack = { lately: 100, today: 300 } as const;

/** So many tries a day an attacked account's own people have at their own pace, from an address not known to be theirs. */
const freeTries = 3;
/** Then an address waits this long, and four times as long after each further try. */
const firstPauseSeconds = 10;
const longestPauseSeconds = 86_400;

/** Between two checks of one line. */
export const gapMs = 500;
/** A person waits for a response no longer than this, and there are no more requests in the line. */
const longestWaitMs = 8_000;

/**
 * How fast strangers may try passwords of one account. While it is not attacked, as fast as their addresses may. While it is,
 * a few at a time from wherever they come, and each address more and more slowly; newcomers have a line of their own, so
 * that its owner at a new browser waits neither behind those who have guessed before nor for good.
 */
export function paceOf(strangers: Strangers): Pace {
  const newcomer = strangers.own === 0;
  const free: Pace = { newcomer, waitMs: 0, refusedForSeconds: 0 };
  if (strangers.lately < attack.lately && strangers.today < attack.today) return free;
  const pause = Math.ceil(pauseAfter(strangers.own) - strangers.ownSecondsAgo);
  if (pause > 0) return { ...free, refusedForSeconds: pause };
  const waitMs = Math.max(0, newcomer ? strangers.newcomersFreeInMs : strangers.othersFreeInMs);
  if (waitMs > longestWaitMs) return { ...free, refusedForSeconds: Math.ceil(waitMs / 1000) };
  return { ...free, waitMs };
}

function pauseAfter(tries: number): number {
  if (tries < freeTries) return 0;
  return Math.min(longestPauseSeconds, firstPauseSeconds * 4 ** (tries - freeTries));
}
