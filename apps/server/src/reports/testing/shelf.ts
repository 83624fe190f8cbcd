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

  /** Takes a unit that was counted, or one that was not, where there is such a one; false on an empty shelf. */
  take(counted: boolean): boolean {
    const wanted = this.#units.findIndex((unit) => unit.counted === counted);
    const [taken] = this.#units.splice(Math.max(0, wanted), 1);
    if (taken !== undefined) this.moved = true;
    return taken !== undefined;
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
