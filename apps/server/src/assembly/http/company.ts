/** Whoever made no call for so long waits for nothing. */
const presentMs = 2_000;

/** Knows whether anybody calls besides a person; two people are enough to tell. */
export class Company {
  private latest: { readonly person: string; at: number } | null = null;
  private other: { readonly person: string; readonly at: number } | null = null;

  /** Notes that a person made a call just now. */
  note(person: string): void {
    const at = performance.now();
    if (this.latest?.person === person) this.latest.at = at;
    else [this.latest, this.other] = [{ person, at }, this.latest];
  }

  /** Whether somebody else made a call within the last two seconds. */
  has(person: string): boolean {
    const somebody = this.latest?.person === person ? this.other : this.latest;
    return somebody !== null && performance.now() - somebody.at < presentMs;
  }
}
