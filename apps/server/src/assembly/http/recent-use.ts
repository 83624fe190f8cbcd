/** Milliseconds that go off the account in each second. */
const drainPerSecond = 100;

interface Account {
  readonly milliseconds: number;
  readonly at: number;
}

/**
 * How long the calls of each person have lately kept the server: what they took is added up, and a tenth of a second of it is
 * forgotten in each second.
 */
export class RecentUse {
  private readonly accounts = new Map<string, Account>();

  /** In milliseconds. */
  of(person: string): number {
    const account = this.accounts.get(person);
    return account === undefined ? 0 : left(account);
  }

  add(person: string, milliseconds: number): void {
    const account = { milliseconds: this.of(person) + milliseconds, at: performance.now() };
    // Behind all others: those that nobody has added to for longest come first, and go when nothing is left of them.
    this.accounts.delete(person);
    this.accounts.set(person, account);
    for (const [somebody, theirs] of this.accounts) {
      if (left(theirs) > 0) return;
      this.accounts.delete(somebody);
    }
  }
}

function left({ milliseconds, at }: Account): number {
  return Math.max(0, milliseconds - ((performance.now() - at) / 1_000) * drainPerSecond);
}
