import type { FileRecord } from "./lines.ts";

/** What is counted of a SKU by the scans that count. */
type Units = Map<string, number>;

/** The report's rows against the scans, the counts by hand and each other. */
export class FiguresCheck {
  readonly #rows: FileRecord[] = [];
  readonly #units: Units = new Map();
  /** The SKUs that the count is of; null for all. */
  #only: ReadonlySet<unknown> | null = null;

  /** The file's first line: a follow-up lists its SKUs. */
  session({ only }: FileRecord): void {
    this.#only = Array.isArray(only) ? new Set(only) : null;
  }

  row(row: FileRecord): void {
    this.#rows.push(row);
  }

  scan({ sku, status, quantity }: FileRecord): void {
    if (status !== "counted" || typeof sku !== "string") return;
    this.#units.set(sku, (this.#units.get(sku) ?? 0) + Number(quantity));
  }

  get rows(): number {
    return this.#rows.length;
  }

  /** Every figure that is not what the file's other lines make of it, by its SKU. */
  faults(): readonly string[] {
    const missing = new Map(this.#units);
    const ofRows = this.#rows.flatMap((row) => {
      const sku = String(row.sku);
      missing.delete(sku);
      return faultsOf(row, this.#units.get(sku) ?? 0).map((fault) => `SKU ${sku}: ${fault}`);
    });
    const ofScans = [...missing]
      .filter(([sku]) => this.#only?.has(sku) ?? true)
      .map(([sku, units]) => `SKU ${sku}: ${units} were scanned, and it has no row`);
    return [...ofRows, ...ofScans];
  }
}

function countOf(row: FileRecord, scanned: number): { readonly count: unknown; readonly by: string } {
  if (row.manual !== true) return { count: scanned, by: "its scans" };
  const last: unknown = Array.isArray(row.history) ? row.history.at(-1) : undefined;
  return { count: Object(last).newCount, by: "its last count by hand" };
}

function faultsOf(row: FileRecord, scanned: number): string[] {
  const { count, by } = countOf(row, scanned);
  const counted = Number(row.counted);
  const variance = counted - Number(row.endOnHand);
  const faults: string[] = [];
  if (row.counted !== count) faults.push(`it says ${counted} were counted, ${by} say ${String(count)}`);
  if (row.variance !== variance) faults.push(`its variance should be ${variance}`);
  if (row.naturalMovement !== Number(row.endOnHand) - Number(row.startOnHand)) {
    faults.push("its natural movement is not its end less its start");
  }
  if (typeof row.unitCost === "number" && typeof row.costImpact === "number") {
    const cost = Math.round(variance * Math.round(row.unitCost * 100));
    if (Math.round(row.costImpact * 100) !== cost)
      faults.push("its cost impact is not its variance times its cost");
  }
  return faults;
}

/** What is wrong with a pass: an area is closed only by the total that was counted. */
export function faultOfPass({ endedAs, declaredTotal, serverTotal }: FileRecord): string | null {
  if (endedAs !== "closed" || declaredTotal === serverTotal) return null;
  return `it was closed with ${String(declaredTotal)} declared and ${String(serverTotal)} counted`;
}
