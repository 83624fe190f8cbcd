import type { FileRecord } from "./lines.ts";

/** An attempt at a second or third count of an area that was closed. */
interface Attempt {
  readonly pass: unknown;
  readonly round: 2 | 3;
  /** The SKUs that it was of; null for the whole area. */
  readonly onlySkus: readonly unknown[] | null;
  readonly endedAt: unknown;
}

/** A comparison, with the line that it is in. */
interface Compared {
  readonly line: number;
  readonly record: FileRecord;
}

const rounds = { 2: "second", 3: "third" } as const;

const keyOf = (...parts: readonly unknown[]) => JSON.stringify(parts);

/** Sums of units by key. */
class Units {
  readonly #sums = new Map<string, number>();

  add(quantity: unknown, ...parts: readonly unknown[]): void {
    const key = keyOf(...parts);
    this.#sums.set(key, (this.#sums.get(key) ?? 0) + Number(quantity));
  }

  of(...parts: readonly unknown[]): number {
    return this.#sums.get(keyOf(...parts)) ?? 0;
  }
}

/**
 * What the counts of areas that were counted more than once came to, SKU by SKU, against the scans of these counts. Takes passes and
 * comparisons before scans, as the file has them.
 */
export class SecondCountsCheck {
  readonly #passes = new Map<string, FileRecord>();
  readonly #attempts = new Map<string, Attempt[]>();
  readonly #restored = new Set<unknown>();
  readonly #codes = new Map<unknown, unknown>();
  readonly #compared: Compared[] = [];
  readonly #areas = new Set<unknown>();
  /** By area, pass and SKU: what attempts scanned, what counts in a pass, and what did until another count took its place. */
  readonly #scanned = new Units();
  readonly #counted = new Units();
  readonly #superseded = new Units();
  /** By area, pass, the attempt that it was scanned in, and SKU: what counts instead of the first count. */
  readonly #moved = new Units();

  get comparisons(): number {
    return this.#compared.length;
  }

  area({ id, code }: FileRecord): void {
    this.#codes.set(id, code);
  }

  pass(record: FileRecord): void {
    const { areaId, pass, ofPass, round, endedAs, onlySkus, endedAt } = record;
    if (endedAs === "restored") this.#restored.add(areaId);
    if (round !== 2 && round !== 3) {
      this.#passes.set(keyOf(areaId, pass), record);
      return;
    }
    if (endedAs !== "closed") return;
    const key = keyOf(areaId, ofPass);
    const attempt = { pass, round, onlySkus: Array.isArray(onlySkus) ? onlySkus : null, endedAt } as const;
    this.#attempts.set(key, [...(this.#attempts.get(key) ?? []), attempt]);
  }

  comparison(line: number, record: FileRecord): void {
    this.#compared.push({ line, record });
    this.#areas.add(record.areaId);
  }

  scan({ areaId, pass, sentPass, sku, status, reason, quantity, decidedBy }: FileRecord): void {
    if (!this.#areas.has(areaId) || typeof sku !== "string") return;
    const isCounted = status === "counted";
    if (status === "compared") this.#scanned.add(quantity, areaId, pass, sku);
    if (isCounted) this.#counted.add(quantity, areaId, pass, sku);
    if (status !== "voided" && !isCounted) return;
    if (reason === "SUPERSEDED") this.#superseded.add(quantity, areaId, pass, sku);
    // What somebody has accepted was late, so it is none of an attempt that was closed, whatever pass its device named.
    const isAccepted = isCounted && decidedBy !== null;
    if (pass !== sentPass && !isAccepted) this.#moved.add(quantity, areaId, pass, sentPass, sku);
  }

  /** Every comparison that is not what the scans make of it, with its line. */
  faults(log: readonly FileRecord[]): readonly { readonly line: number; readonly text: string }[] {
    return this.#compared.flatMap(({ line, record }) => {
      const what = `The counts of SKU ${String(record.sku)} in area ${String(this.#codes.get(record.areaId))}`;
      const faults = [...this.#faultsOfFigures(record, log), ...faultsOfSettling(record)];
      return faults.map((fault) => ({ line, text: `${what}: ${fault}` }));
    });
  }

  #faultsOfFigures(record: FileRecord, log: readonly FileRecord[]): string[] {
    const second = this.#attempt(record, 2);
    const third = record.third === null ? undefined : this.#attempt(record, 3);
    if (second === undefined) return ["no second count of its area was closed"];
    const known = [
      { name: "first", units: this.#first(record, third ?? second, log) },
      { name: "second", units: this.#of(record, second) },
      ...(record.third === null ? [] : [{ name: "third", units: third && this.#of(record, third) }]),
    ];
    return known.flatMap(({ name, units }) =>
      units === null || units === record[name]
        ? []
        : [`its ${name} count is ${String(record[name])}, its scans say ${String(units ?? "none was made")}`],
    );
  }

  /** One of a list comes before one of the whole area, which is of all that no list was of. */
  #attempt({ areaId, ofPass, sku }: FileRecord, round: Attempt["round"]): Attempt | undefined {
    const made = (this.#attempts.get(keyOf(areaId, ofPass)) ?? []).filter((each) => each.round === round);
    return (
      made.find(({ onlySkus }) => onlySkus?.includes(sku) === true) ??
      made.find(({ onlySkus }) => onlySkus === null)
    );
  }

  /** An attempt's scans of the SKU: those that were settled on count in the area's own pass now. */
  #of({ areaId, ofPass, sku, settledAs }: FileRecord, { pass, round }: Attempt): number {
    if (settledAs === rounds[round]) return this.#moved.of(areaId, ofPass, pass, sku);
    return this.#scanned.of(areaId, pass, sku);
  }

  /**
   * The first count's scans of the SKU; null where nobody can tell by the scans what they were when they were compared: the area was
   * begun anew or restored since, or a scan of the SKU was decided on.
   */
  #first(record: FileRecord, last: Attempt, log: readonly FileRecord[]): number | null {
    const { areaId, ofPass, sku, settledAs } = record;
    const endedAs = this.#passes.get(keyOf(areaId, ofPass))?.endedAs;
    if (endedAs !== "closed" || this.#restored.has(areaId)) return null;
    if (log.some((entry) => isDecisionOn(entry, sku, last.endedAt))) return null;
    const replaced = settledAs === "second" || settledAs === "third";
    return (replaced ? this.#superseded : this.#counted).of(areaId, ofPass, sku);
  }
}

/** Whether an entry tells of a decision on a scan of the SKU since a moment. */
function isDecisionOn({ action, at, before, after }: FileRecord, sku: unknown, since: unknown): boolean {
  const isOne = String(action).startsWith("exception.");
  return isOne && String(at) >= String(since) && [before, after].some((facts) => Object(facts).sku === sku);
}

/** What is wrong with how a comparison was settled: by counts that agree, or by somebody. */
function faultsOfSettling({ first, second, third, settledAs, settledBy, reason }: FileRecord): string[] {
  const agrees: Readonly<Record<string, boolean>> = {
    equal: first === second,
    first: first === second || first === third,
    second: second === third,
    third: false,
  };
  if (settledAs === null) return [];
  const how = `it is settled as ${settledAs === "equal" ? "equal" : `its ${String(settledAs)} count`}`;
  if (settledBy !== null) return typeof reason === "string" ? [] : [`${how} by somebody, without a reason`];
  return agrees[String(settledAs)] === true ? [] : [`${how}, and no two counts agree on that`];
}
