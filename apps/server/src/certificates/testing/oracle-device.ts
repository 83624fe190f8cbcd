/** What its app tells as an area is opened: nothing, that it tells of everything from then on, or what it holds besides. */
export type OpeningApp = "old" | "quiet" | "telling";

/** A device as somebody with pencil and paper would keep it: its last word is what is known. */
export class OracleDevice {
  /** How many rows it said last that it holds. */
  private pending = 0;
  /** It has told or sent something. */
  private isHeard = false;
  /** Its last word was of everything, not of scans alone. */
  private tellsAll = false;
  private scans = 0;
  /** How many scans it had sent as it was accounted for; null where it is not. */
  private saidAfter: number | null = null;

  /** An area is opened on it while the session counts. */
  open(app: OpeningApp, holds: number): void {
    this.tellsAll = app !== "old";
    if (app === "telling") this.tell(holds);
  }

  tell(pending: number): void {
    this.pending = pending;
    this.isHeard = true;
    this.tellsAll = true;
  }

  scan(pending: number, isOld: boolean): void {
    this.scans += 1;
    this.pending = pending;
    this.isHeard = true;
    if (!isOld) this.tellsAll = true;
  }

  get hasBeenHeard(): boolean {
    return this.isHeard;
  }

  get holdsRows(): boolean {
    return this.pending > 0;
  }

  get isSaid(): boolean {
    return this.saidAfter !== null;
  }

  /** What was said of it holds: it has sent nothing since, and does not say that it holds anything. */
  get isAccountedFor(): boolean {
    return this.saidAfter === this.scans && !this.holdsRows;
  }

  /** Nothing certain is known of its queue, and nobody has accounted for it. */
  get isUnknown(): boolean {
    return !this.holdsRows && !(this.isHeard && this.tellsAll) && !this.isAccountedFor;
  }

  account(): void {
    this.saidAfter = this.scans;
  }

  takeBack(): void {
    this.saidAfter = null;
  }
}
