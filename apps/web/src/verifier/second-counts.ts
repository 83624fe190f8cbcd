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
  /**
   * By area, pass, the attempt that it was scanned in, and SKU: what took the place of the first count, also where it has given that up
   * since; and what of it was undone there.
   */
  readonly #moved = new Units();
  readonly #undone = new Units();

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

  scan({ areaId, pass, sentPass, sku, status, reason, quantity, ...decided }: FileRecord): void {
    if (!this.#areas.has(areaId) || typeof sku !== "string") return;
    if (status === "compared") this.#scanned.add(quantity, areaId, pass, sku);
    if (status === "counted") this.#counted.add(quantity, areaId, pass, sku);
    if (reason === "SUPERSEDED") this.#superseded.add(quantity, areaId, pass, sku);
    // What somebody has accepted was late, so it is none of an attempt that was closed, whatever pass its device named.
    const { accepted = status === "counted" && decided.decidedBy !== null } = decided;
    if (pass === sentPass || accepted === true) return;
    const units = reason === "UNDONE" ? this.#undone : this.#moved;
    units.add(quantity, areaId, pass, sentPass, sku);
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
      { name: "first", units: this.#first(record, third ?? second, log), undone: 0 },
      { name: "second", ...this.#of(record, second) },
      ...(record.third === null ? [] : [{ name: "third", ...(third && this.#of(record, third)) }]),
    ];
    return known.flatMap(({ name, units, undone = 0 }) =>
      units === null || isBetween(record[name], units, undone)
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

  /**
   * An attempt's scans of the SKU, whether they took the place of the first count's or not. Of a count that its area has left behind nobody
   * can tell what was undone before that, and is in its figure no more.
   */
  #of(
    { areaId, ofPass, sku }: FileRecord,
    { pass }: Attempt,
  ): { readonly units: number; readonly undone: number } {
    const units = this.#scanned.of(areaId, pass, sku) + this.#moved.of(areaId, ofPass, pass, sku);
    const endedAs = this.#passes.get(keyOf(areaId, ofPass))?.endedAs;
    const isPresent = endedAs === "closed" || endedAs === "session_ended";
    return { units, undone: isPresent ? 0 : this.#undone.of(areaId, ofPass, pass, sku) };
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

/** Whether a figure is so many units, or some more of those that were undone. */
function isBetween(figure: unknown, units: number | undefined, undone: number): boolean {
  return units !== undefined && Number(figure) >= units && Number(figure) <= units + undone;
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
