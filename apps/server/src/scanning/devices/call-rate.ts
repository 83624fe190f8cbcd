import { ApiError } from "../../kernel/api-error.ts";
import type { Clock } from "../../kernel/clock.ts";

/** Far above what devices do (docs/API.md, "Conventions"): it stops abuse, never counting. */
export const scansASecond = 2000;

interface Allowance {
  left: number;
  /** Milliseconds since 1970 at which `left` was right. */
  at: number;
}

/** Keeps each login below a number of scans a second; a second's worth may come at once. */
export class CallRate {
  private readonly clock: Pick<Clock, "now">;
  private readonly perSecond: number;
  private readonly allowances = new Map<string, Allowance>();
  private sweptAt = 0;

  constructor(clock: Pick<Clock, "now">, perSecond = scansASecond) {
    this.clock = clock;
    this.perSecond = perSecond;
  }

  /** Counts `amount` against the login. Throws RATE_LIMITED, with nothing counted, when it is too much. */
  charge(loginHash: Buffer, amount: number): void {
    const now = this.clock.now();
    this.sweep(now);
    const login = loginHash.toString("base64");
    const left = this.leftAt(login, now) - amount;
    if (left < 0) {
      throw new ApiError(
        "RATE_LIMITED",
        "Too many scans at once. They are safe on the device; send them again in a second.",
        {
          retryAfterSeconds: Math.max(1, Math.ceil(-left / this.perSecond)),
        },
      );
    }
    this.allowances.set(login, { left, at: now });
  }

  /** How many logins have sent something since the last sweep: what this keeps in memory. */
  get remembered(): number {
    return this.allowances.size;
  }

  private leftAt(login: string, now: number): number {
    const allowance = this.allowances.get(login);
    if (allowance === undefined) return this.perSecond;
    const regained = (Math.max(0, now - allowance.at) * this.perSecond) / 1000;
    return Math.min(this.perSecond, allowance.left + regained);
  }

  /** After a quiet second a login has its whole allowance again and needs no entry. */
  private sweep(now: number): void {
    if (Math.abs(now - this.sweptAt) < 60_000) return;
    this.sweptAt = now;
    for (const [login, { at }] of this.allowances)
      if (Math.abs(now - at) > 1000) this.allowances.delete(login);
  }
}
