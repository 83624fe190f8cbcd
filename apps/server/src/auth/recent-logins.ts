import type { Caller } from "../kernel/caller.ts";
import type { Clock } from "../kernel/clock.ts";
import { hashToken } from "./tokens.ts";

/** A login is looked up anew after this time, which also notes that it is in use. */
const rememberedMs = 60_000;

/** Far above the devices of a shop on one node; each takes some hundred bytes. */
const mostRemembered = 10_000;

interface Remembered {
  readonly caller: Caller;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * To whom the cookies that were looked up lately opened. They may have ended since, here or on another node: only for a call
 * that looks at its login itself in the statement that does its work.
 */
export class RecentLogins {
  private readonly clock: Pick<Clock, "now">;
  private readonly remembered = new Map<string, Remembered>();

  constructor(clock: Pick<Clock, "now">) {
    this.clock = clock;
  }

  find(token: string): Caller | null {
    const key = keyOf(token);
    const found = this.remembered.get(key);
    if (found === undefined) return null;
    if (Math.abs(this.clock.now() - found.at) < rememberedMs) return found.caller;
    this.remembered.delete(key);
    return null;
  }

  /** `caller` is null where the cookie opens nothing. */
  note(token: string, caller: Caller | null): void {
    const key = keyOf(token);
    this.remembered.delete(key);
    if (caller === null) return;
    this.remembered.set(key, { caller, at: this.clock.now() });
    const [oldest] = this.remembered.keys();
    if (this.remembered.size > mostRemembered && oldest !== undefined) this.remembered.delete(oldest);
  }
}

const keyOf = (token: string) => hashToken(token).toString("base64");
