import type { AreaStatement, CoveredAreaState, SearchAnswer, SessionScope } from "@stocktake/contract";
import { OracleArea } from "./oracle-area.ts";
import { OracleDevice } from "./oracle-device.ts";
import { OracleSamples } from "./oracle-samples.ts";

/** What High Street has in stock, before anybody counts it. */
const onHand: ReadonlyMap<string, number> = new Map([
  ...([
    ["JK-1000", 7],
    ["JK-1001", 8],
    ["JK-1002", 9],
  ] as const),
  ...([
    ["SCARF#44310000000004", 3],
    ["SCARF#44310000000005", 2],
    ["BELT-1", 4],
  ] as const),
]);
export const stocked: readonly string[] = [...onHand.keys()];

/** A scan that waits to be decided. */
export interface Waiting {
  readonly id: string;
  readonly area: string;
  /** Null for a code without a product. */
  readonly sku: string | null;
  readonly late: boolean;
}

/** How a session begins. */
export interface Beginning {
  readonly scope: SessionScope;
  /** What its plan leaves out. */
  readonly leftOut: readonly string[];
  /** Null and absent for none. */
  readonly tolerance?: number | null;
}

/** What is open of a session, worked out from what was done alone: by no statement, and none of the server's rules. */
export class CoverageOracle {
  readonly scope: SessionScope;
  ended = false;
  readonly areas = new Map(["A1", "A2", "A3"].map((code) => [code, new OracleArea()]));
  readonly samples = new OracleSamples();
  waiting: Waiting[] = [];
  /** Sheets that are out, each with its area. */
  readonly sheetsOut = new Map<number, string>();
  readonly devices = new Map<string, OracleDevice>();
  readonly leftAlone = new Set<string>();
  readonly answers = new Map<string, Map<string, SearchAnswer>>();
  readonly byHand = new Map<string, number>();
  /** Units of a SKU more than which is beyond tolerance, over and short alike; null for no tolerance. */
  readonly tolerance: number | null;
  /** What a count was as somebody said that the session does without another one, by SKU. */
  readonly withoutAgain = new Map<string, number>();
  /** How often a thing was done of which a certificate tells nothing but that. */
  readonly done = {
    ...{ returned: 0, void: 0, made: 0, cancelled: 0, cutOff: 0, settled: 0 },
    ...{ accepted: 0, dismissed: 0, adjusted: 0 },
  };

  constructor({ scope, leftOut, tolerance = null }: Beginning) {
    this.scope = scope;
    this.tolerance = tolerance;
    for (const code of leftOut) this.area(code).leftOut = true;
  }

  area(code: string): OracleArea {
    const area = this.areas.get(code);
    if (area === undefined) throw new Error(`The oracle knows no area ${code}.`);
    return area;
  }

  /** A scan of the device is stored. */
  hearScan(name: string, pending: number, isOld: boolean): void {
    const device = this.devices.get(name) ?? new OracleDevice();
    this.devices.set(name, device);
    device.scan(pending, isOld);
  }

  /** The devices that are accounted for, by their names. */
  accountedFor(): readonly string[] {
    return [...this.devices]
      .filter(([, { isAccountedFor }]) => isAccountedFor)
      .map(([name]) => name)
      .toSorted();
  }

  /** The drawn area, or the next one that is so; undefined where none is. */
  areaThat(code: string, isSo: (area: OracleArea, code: string) => boolean): string | undefined {
    const codes = [...this.areas.keys()];
    const from = codes.indexOf(code);
    return [...codes.slice(from), ...codes.slice(0, from)].find((each) => isSo(this.area(each), each));
  }

  /** Something counts in the area's pass, or would if it fitted a product. */
  hasScans(code: string): boolean {
    const unresolved = this.waiting.some(({ area, late }) => area === code && !late);
    return unresolved || this.area(code).total > 0;
  }

  became(code: string): CoveredAreaState {
    const { status, total, said, emptyTwice, leftOut } = this.area(code);
    if (status === "closed") {
      if (total > 0) return "counted";
      return said.has("empty") || emptyTwice ? "empty" : "empty_once";
    }
    if (this.hasScans(code)) return "not_counted";
    if (said.has("void")) return "void";
    return leftOut ? "left_out" : "not_counted";
  }

  unitsOf(sku: string): number {
    return this.byHand.get(sku) ?? [...this.areas.values()].reduce((sum, area) => sum + area.unitsOf(sku), 0);
  }

  isCounted(sku: string): boolean {
    return this.byHand.has(sku) || this.unitsOf(sku) > 0;
  }

  /** Everybody who was asked says so, and no late scan of it waits. */
  private isNotThere(sku: string): boolean {
    const said = [...(this.answers.get(sku)?.values() ?? [])];
    const contradicted = this.waiting.some((scan) => scan.late && scan.sku === sku);
    return said.length > 0 && said.every((answer) => answer === "not_there") && !contradicted;
  }

  private stateOf(sku: string): "counted" | "outside" | "not_there" | "left_alone" | "open" {
    if (this.isCounted(sku)) return "counted";
    if (this.scope === "partial") return "outside";
    if (this.leftAlone.has(sku)) return "left_alone";
    return this.isNotThere(sku) ? "not_there" : "open";
  }

  openStock(): readonly string[] {
    return stocked.filter((sku) => this.stateOf(sku) === "open");
  }

  /** Everything that counts lies in areas that are closed, and no other area is to be counted: what is short may be judged. */
  private isEveryAreaDone(): boolean {
    return [...this.areas].every(
      ([code, { status, said }]) => status === "closed" || (said.has("void") && !this.hasScans(code)),
    );
  }

  private differs(sku: string): boolean {
    const places = [...this.areas.values()].filter((area) => area.unitsOf(sku) > 0);
    if (this.tolerance === null || this.byHand.has(sku) || places.length === 0) return false;
    if (!this.ended && places.some(({ status }) => status !== "closed")) return false;
    const difference = this.unitsOf(sku) - (onHand.get(sku) ?? 0);
    if (difference < 0 && !this.ended && !this.isEveryAreaDone()) return false;
    return Math.abs(difference) > this.tolerance && !places.every((area) => area.isSettled(sku));
  }

  /** The SKUs beyond tolerance that nobody has counted again. */
  beyondTolerance(): readonly string[] {
    return stocked.filter((sku) => this.differs(sku)).toSorted();
  }

  /** Those of them that are still to be counted again, or done without. */
  openBeyond(): readonly string[] {
    return this.beyondTolerance().filter((sku) => this.withoutAgain.get(sku) !== this.unitsOf(sku));
  }

  /** Those that the session does without another count of. */
  doneWithout(): readonly string[] {
    return this.beyondTolerance().filter((sku) => this.withoutAgain.get(sku) === this.unitsOf(sku));
  }

  /** The certificate's list of SKUs. */
  listing(): string {
    const lines = stocked.toSorted().map((sku) => {
      const state = this.stateOf(sku);
      return JSON.stringify([sku, state, state === "counted" ? this.unitsOf(sku) : onHand.get(sku)]);
    });
    return lines.join("\n");
  }

  /** The kinds that are open, each with how many things. */
  open(): Readonly<Record<string, number>> {
    const areasThat = (is: (area: OracleArea, code: string) => boolean) =>
      [...this.areas].filter(([code, area]) => is(area, code)).length;
    const counts = {
      areas: areasThat((_area, code) => this.became(code) === "not_counted"),
      empty_areas: areasThat((_area, code) => this.became(code) === "empty_once"),
      stock: this.openStock().length,
      devices: [...this.devices.values()].filter(({ holdsRows }) => holdsRows).length,
      unknown_devices: [...this.devices.values()].filter(({ isUnknown }) => isUnknown).length,
      sheets: this.sheetsOut.size,
      second_counts: areasThat(({ second }) => second === "open" || second === "third"),
      // A finished one is counted again while a third count that was cancelled is made after all, beside the one drawn since.
      samples: this.samples.statuses().filter((status) => status === "counting").length,
      differences: areasThat(({ differs }) => differs),
      cut_off_counts: areasThat(
        ({ second, said }) => second === "cut_off" && !said.has("without_second_count"),
      ),
      exceptions: this.waiting.length,
      beyond_tolerance: this.openBeyond().length,
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
    const { areas, waiting, devices, answers, byHand, leftAlone, done, sheetsOut } = this;
    const listed = (map: ReadonlyMap<string, unknown>) => [...map].toSorted();
    return JSON.stringify([
      this.doneWithout(),
      [...areas].map(([code, area]) => [code, { ...area, units: listed(area.units), said: [...area.said] }]),
      ...[waiting, listed(devices), listed(byHand), [...leftAlone].toSorted(), done, [...sheetsOut]],
      [...answers].map(([sku, said]) => [sku, listed(said)]),
    ]);
  }

  end(): void {
    this.ended = true;
    for (const [code, area] of this.areas) {
      if (area.second === "open") this.samples.become(area.sample, code, "lost");
      if (area.second === "third") this.samples.become(area.sample, code, "counted");
      if (area.second === "open" || area.second === "third") this.done.cutOff += 1;
      area.end();
    }
  }
}
