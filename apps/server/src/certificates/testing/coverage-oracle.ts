import type { AreaStatement, SearchAnswer } from "@stocktake/contract";

/** What High Street has in stock. */
export const stocked = [
  ...["JK-1000", "JK-1001", "JK-1002", "SCARF#44310000000004", "SCARF#44310000000005", "BELT-1"],
] as const;

/** A scan that waits to be decided. */
export interface Waiting {
  readonly id: string;
  readonly area: string;
  /** Null for a code without a product. */
  readonly sku: string | null;
  readonly late: boolean;
}

/** An area as somebody with pencil and paper would keep it. */
export class OracleArea {
  status: "not_started" | "in_progress" | "closed" = "not_started";
  units = new Map<string, number>();
  said = new Set<AreaStatement>();
  /** Its second count: none yet, under way, a third one under way, made, or cut off by the end. */
  second: "none" | "open" | "third" | "made" | "cut_off" = "none";
  emptyTwice = false;
  differs = false;

  get total(): number {
    return [...this.units.values()].reduce((sum, units) => sum + units, 0);
  }

  count(sku: string): void {
    this.units.set(sku, (this.units.get(sku) ?? 0) + 1);
  }

  reopen(): void {
    Object.assign(this, new OracleArea());
  }
}

/** What is open of a session, worked out from what was done alone: by no statement, and none of the server's rules. */
export class CoverageOracle {
  ended = false;
  readonly areas = new Map(["A1", "A2", "A3"].map((code) => [code, new OracleArea()]));
  waiting: Waiting[] = [];
  readonly sheetsOut = new Set<number>();
  readonly pending = new Map<string, number>();
  readonly leftAlone = new Set<string>();
  readonly answers = new Map<string, Map<string, SearchAnswer>>();
  readonly byHand = new Map<string, number>();
  /** Counts of a kind that a certificate tells of and nothing here depends on. */
  readonly decided: string[] = [];

  area(code: string): OracleArea {
    const area = this.areas.get(code);
    if (area === undefined) throw new Error(`The oracle knows no area ${code}.`);
    return area;
  }

  /** Something counts in the area's pass, or would if it fitted a product. */
  hasScans(code: string): boolean {
    const unresolved = this.waiting.some(({ area, late }) => area === code && !late);
    return unresolved || this.area(code).total > 0;
  }

  isCounted(sku: string): boolean {
    return this.byHand.has(sku) || [...this.areas.values()].some(({ units }) => (units.get(sku) ?? 0) > 0);
  }

  /** Everybody who was asked says so, and no late scan of it waits. */
  isNotThere(sku: string): boolean {
    const said = [...(this.answers.get(sku)?.values() ?? [])];
    const contradicted = this.waiting.some((scan) => scan.late && scan.sku === sku);
    return said.length > 0 && said.every((answer) => answer === "not_there") && !contradicted;
  }

  isVoid(code: string): boolean {
    const { status, said } = this.area(code);
    return status !== "closed" && said.has("void") && !this.hasScans(code);
  }

  isEmptyOnce({ status, total, said, emptyTwice }: OracleArea): boolean {
    return status === "closed" && total === 0 && !said.has("empty") && !emptyTwice;
  }

  openStock(): readonly string[] {
    return stocked.filter((sku) => !this.isCounted(sku) && !this.isNotThere(sku) && !this.leftAlone.has(sku));
  }

  /** The kinds that are open, each with how many things. */
  open(): Readonly<Record<string, number>> {
    const areas = [...this.areas];
    const ofAreas = (is: (area: OracleArea, code: string) => boolean) =>
      areas.filter(([code, area]) => is(area, code)).length;
    const counts = {
      areas: ofAreas(({ status }, code) => status !== "closed" && !this.isVoid(code)),
      empty_areas: ofAreas((area) => this.isEmptyOnce(area)),
      stock: this.openStock().length,
      devices: [...this.pending.values()].filter((pending) => pending > 0).length,
      sheets: this.sheetsOut.size,
      second_counts: ofAreas(({ second }) => second === "open" || second === "third"),
      differences: ofAreas(({ differs }) => differs),
      cut_off_counts: ofAreas(
        ({ second, said }) => second === "cut_off" && !said.has("without_second_count"),
      ),
      exceptions: this.waiting.length,
    };
    return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  }

  isAnythingOpen(): boolean {
    return Object.keys(this.open()).length > 0;
  }

  /** Whether it can be said of the area as it is. */
  fits(code: string, as: AreaStatement): boolean {
    const area = this.area(code);
    if (as === "void") return area.status !== "closed" && !this.hasScans(code);
    if (as === "empty") return area.status === "closed" && !this.hasScans(code);
    return area.second === "cut_off";
  }

  /** It was said and holds, so that saying it again changes nothing. */
  holds(code: string, as: AreaStatement): boolean {
    const { said } = this.area(code);
    if (!said.has(as)) return false;
    return as === "without_second_count" || this.fits(code, as);
  }

  /** All that was done, as one text: where two are equal the same was done. */
  snapshot(): string {
    const { areas, waiting, pending, answers, byHand, leftAlone, decided, sheetsOut } = this;
    const listed = (map: ReadonlyMap<string, unknown>) => [...map].toSorted();
    return JSON.stringify([
      [...areas].map(([code, area]) => [code, { ...area, units: listed(area.units), said: [...area.said] }]),
      ...[waiting, listed(pending), listed(byHand), [...leftAlone].toSorted(), decided, [...sheetsOut]],
      [...answers].map(([sku, said]) => [sku, listed(said)]),
    ]);
  }

  /** The figures of the certificate. */
  figures(): string {
    const areas = [...this.areas].map(([code, { total }]) => [code, total, this.isVoid(code)]);
    const stock = stocked.map((sku) => [
      sku,
      this.byHand.get(sku) ??
        [...this.areas.values()].reduce((sum, { units }) => sum + (units.get(sku) ?? 0), 0),
      this.isNotThere(sku) && !this.leftAlone.has(sku),
    ]);
    return JSON.stringify([areas, stock]);
  }

  end(): void {
    this.ended = true;
    for (const area of this.areas.values()) {
      if (area.second === "open") area.second = "cut_off";
      if (area.second === "third") area.second = "made";
    }
  }
}
