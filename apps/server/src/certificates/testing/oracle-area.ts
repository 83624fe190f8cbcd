import type { AreaStatement } from "@stocktake/contract";

/** The SKU that a second count finds more of than the first. */
export const disputed = "JK-1000";

/** An area as somebody with pencil and paper would keep it. */
export class OracleArea {
  status: "not_started" | "in_progress" | "closed" = "not_started";
  /** The plan left it out, and nobody has begun it anew since. */
  leftOut = false;
  units = new Map<string, number>();
  said = new Set<AreaStatement>();
  /** Its second count: none yet, under way, a third one under way, made, cut off by the end, or ended with its control sample. */
  second: "none" | "open" | "third" | "made" | "cut_off" | "ended" = "none";
  /** The control sample that drew it. */
  sample: number | null = null;
  /** How many of the disputed SKU the second and the third count found; null where there was none. */
  found: { second: number | null; third: number | null } = { second: null, third: null };
  /** What its second count was settled as, SKU by SKU: what Ben found and what Ada had of it at that time. */
  private settled = new Set<string>();
  emptyTwice = false;
  differs = false;

  get total(): number {
    return [...this.units.values()].reduce((sum, units) => sum + units, 0);
  }

  unitsOf(sku: string): number {
    return this.units.get(sku) ?? 0;
  }

  count(sku: string, units = 1): void {
    this.units.set(sku, this.unitsOf(sku) + units);
  }

  /** Ben has found so many of the disputed SKU, and of everything else what the area has. */
  countSecond(found: number): void {
    this.found.second = found;
    this.differs = found !== this.unitsOf(disputed);
    this.second = this.differs ? "third" : "made";
    for (const [sku, units] of this.units) if (units > 0 && sku !== disputed) this.settled.add(sku);
    if (!this.differs) this.settled.add(disputed);
    this.emptyTwice = !this.differs && this.total === 0;
  }

  /** Cleo has; whether that settles it, as two of three agree. */
  countThird(found: number): boolean {
    const { second } = this.found;
    this.found.third = found;
    this.second = "made";
    if (this.total - this.unitsOf(disputed) + found === 0) this.emptyTwice = true;
    if (found === this.unitsOf(disputed)) this.settle("first");
    else if (found === second) this.settle("second");
    return !this.differs;
  }

  settle(choice: "first" | "second" | "third"): void {
    if (choice !== "first") this.units.set(disputed, this.found[choice] ?? 0);
    this.differs = false;
    this.settled.add(disputed);
  }

  /** Its count of the SKU was compared with another one, and is what these came to. */
  isSettled(sku: string): boolean {
    return this.settled.has(sku);
  }

  reopen(): void {
    Object.assign(this, new OracleArea());
  }

  end(): void {
    if (this.second === "open") this.second = this.sample === null ? "cut_off" : "ended";
    if (this.second === "third") this.second = "made";
  }
}
