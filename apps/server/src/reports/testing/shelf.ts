interface Unit {
  counted: boolean;
}

/** What really is on the shelf of one SKU, and how far its count has come. */
export class Shelf {
  #units: Unit[];
  #ordered = 0;
  #counting: "not-begun" | "begun" | "done" = "not-begun";
  /** Whether anything at all has happened to its stock since the session began. */
  moved = false;

  constructor(units: number) {
    this.#units = Array.from({ length: units }, () => ({ counted: false }));
  }

  get quantity(): number {
    return this.#units.length;
  }

  get isCounted(): boolean {
    return this.#counting !== "not-begun";
  }

  get isHalfCounted(): boolean {
    return this.#counting === "begun";
  }

  /**
   * Takes a unit that was counted, or one that was not, where there is such a one; false where there is none to take. What
   * is being counted keeps a unit to count: that somebody had not come to it before it was sold no scan can tell.
   */
  take(counted: boolean): boolean {
    const toCount = this.#units.filter((unit) => !unit.counted).length;
    const ofCounted = this.isHalfCounted && toCount === 1;
    const free = ofCounted ? this.#units.filter((unit) => unit.counted) : this.#units;
    const taken = free.find((unit) => unit.counted === counted) ?? free[0];
    if (taken === undefined) return false;
    this.#units.splice(this.#units.indexOf(taken), 1);
    this.moved = true;
    return true;
  }

  put(): void {
    this.#units.push({ counted: false });
    this.moved = true;
  }

  /** An order holds what it has bought until it is shipped; false where everything is held already. */
  order(): boolean {
    if (this.#ordered >= this.quantity) return false;
    this.#ordered += 1;
    this.moved = true;
    return true;
  }

  ship(): boolean {
    if (this.#ordered === 0 || !this.take(true)) return false;
    this.#ordered -= 1;
    return true;
  }

  /** Counts up to so many of the units that are there and not counted yet, once; returns how many. */
  count(units: number): number {
    if (this.#counting === "done") return 0;
    const found = this.#units.filter(({ counted }) => !counted).slice(0, units);
    for (const unit of found) unit.counted = true;
    if (found.length > 0) this.#counting = "begun";
    if (this.#counting === "begun" && this.#units.every(({ counted }) => counted)) this.#counting = "done";
    return found.length;
  }
}
