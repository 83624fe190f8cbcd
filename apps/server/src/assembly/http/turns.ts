import { ApiError } from "../../kernel/api-error.ts";
import type { Company } from "./company.ts";
import { RecentUse } from "./recent-use.ts";

/** How many calls of one kind are under way at a time, and how many are in hand with those that wait. */
export interface TurnLimits {
  /** Of all people together. One person has one under way. */
  readonly atOnce: number;
  readonly inHandOfPerson: number;
  readonly inHand: number;
}

interface Line {
  readonly waiting: (() => void)[];
  /** One is under way, or the line rests after it. */
  isTaken: boolean;
}

/** A call that waited for PostgreSQL or for a disk without room says nothing about what it cost. */
const longestRestMs = 250;
/** What a phone that comes back with a day's scans needs: twenty batches. Whoever goes on after it rests longer and longer. */
const freeUseMs = 1_000;
const restsLongerPerMs = 1 / 500;
/** A tenth of the server is left then. */
const longestRests = 9;

/** How many times as long as a call took its person's line rests after it. */
function restsAfter(recentUseMs: number): number {
  return Math.min(longestRests, 1 + Math.max(0, recentUseMs - freeUseMs) * restsLongerPerMs);
}

/**
 * Lets the calls of one kind take turns: one person's in the order in which they came, one at a time, and those of several
 * people one after the other. While anybody else calls, the person's line rests after each for as long as the call took, so that
 * whoever sends many has half of the server at most; and longer, the longer they go on, until a tenth of it is left to them.
 */
export class Turns {
  private readonly limits: TurnLimits;
  private readonly company: Pick<Company, "has">;
  private readonly lines = new Map<string, Line>();
  private readonly recentUse = new RecentUse();
  private underWay = 0;
  private waiting = 0;

  constructor(limits: TurnLimits, company: Pick<Company, "has">) {
    this.limits = limits;
    this.company = company;
  }

  /** Whether one more of the person's calls may wait, as far as the person goes and as far as all do. */
  roomFor(person: string): { readonly ofPerson: boolean; readonly inAll: boolean } {
    const line = this.lines.get(person);
    const inHand = line === undefined ? 0 : line.waiting.length + 1;
    return {
      ofPerson: inHand < this.limits.inHandOfPerson,
      inAll: this.underWay + this.waiting < this.limits.inHand,
    };
  }

  /**
   * Resolves when it is the call's turn, with what ends it; called again, that does nothing. Throws OVERLOADED where too many
   * wait already.
   */
  async enter(person: string): Promise<() => void> {
    const { ofPerson, inAll } = this.roomFor(person);
    if (!ofPerson || !inAll) throw tooManyWaiting();
    const line = this.lines.get(person) ?? { waiting: [], isTaken: false };
    this.lines.set(person, line);
    this.waiting += 1;
    const begun = new Promise<void>((begin) => line.waiting.push(begin));
    this.beginNext();
    await begun;
    return this.endOf(person, line);
  }

  private endOf(person: string, line: Line): () => void {
    const began = performance.now();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.underWay -= 1;
      if (this.company.has(person)) {
        const took = Math.min(performance.now() - began, longestRestMs);
        const rest = took * restsAfter(this.recentUse.of(person));
        this.recentUse.add(person, took);
        setTimeout(() => this.endRest(person, line), rest).unref();
      } else this.endRest(person, line);
      this.beginSoon();
    };
  }

  private endRest(person: string, line: Line): void {
    line.isTaken = false;
    if (line.waiting.length === 0) this.lines.delete(person);
    this.beginNext();
  }

  /** After what came from the network meanwhile: nobody's scan waits for two calls on end. */
  private beginSoon(): void {
    if (this.waiting > 0) setImmediate(() => this.beginNext());
  }

  /** Begins one call, if one may; who has had a turn goes behind everybody else. */
  private beginNext(): void {
    if (this.underWay >= this.limits.atOnce) return;
    for (const [person, line] of this.lines) {
      const begin = line.isTaken ? undefined : line.waiting.shift();
      if (begin === undefined) continue;
      line.isTaken = true;
      this.lines.delete(person);
      this.lines.set(person, line);
      this.waiting -= 1;
      this.underWay += 1;
      begin();
      this.beginSoon();
      return;
    }
  }
}

export function tooManyWaiting(): ApiError {
  const message = "Too many requests are waiting already. Nothing was stored; try again shortly.";
  return new ApiError("OVERLOADED", message, { retryAfterSeconds: 2 });
}
