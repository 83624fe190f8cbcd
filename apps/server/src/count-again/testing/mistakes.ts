import type { CountAgainReason } from "@stocktake/contract";
import type { ShelvedSku, Shelves } from "./shelves.ts";

/** What may go wrong with counting, and the reason of the list that was made for it; null where none was but the tolerance. */
export const mistakeReasons = {
  miscount: null,
  swap: "SWAP_SUSPECTED",
  "missed shelf": "SIBLINGS_COUNTED",
  "unknown code": "UNKNOWN_CODES",
  "counted from both sides": "OVERAGE_NEXT_AREA",
  "scanned in haste": "FAST_AREA",
} as const satisfies Record<string, CountAgainReason["kind"] | null>;

export type MistakeKind = keyof typeof mistakeReasons;

/** A code that fits no product, as somebody typed it. */
export interface MistypedCode {
  readonly area: number;
  readonly input: string;
  readonly units: number;
}

export interface Mistakes {
  readonly kindOf: ReadonlyMap<string, MistakeKind>;
  /** Each of two that were swapped, and the other. */
  readonly swapped: ReadonlyMap<string, string>;
  readonly mistyped: readonly MistypedCode[];
  readonly fastAreas: ReadonlySet<number>;
}

type Below = (end: number) => number;

/** How often each is made for 10,000 SKUs. */
const miscounts = 60;
const swaps = 30;
const shelves = 6;
const shelfLength = 5;
const codes = 20;
const doubled = 20;
const fastAreas = 3;
const inHaste = 15;

/** Makes mistakes of each kind in what was scanned, so many for so many SKUs, no SKU in two of them. */
export function makeMistakes({ skus, size }: Shelves, below: Below): Mistakes {
  const kindOf = new Map<string, MistakeKind>();
  const swapped = new Map<string, string>();
  const mistyped: MistypedCode[] = [];
  const fast = new Set<number>();
  const isFree = (of: ShelvedSku | undefined): of is ShelvedSku => of !== undefined && !kindOf.has(of.sku);
  const floorArea = (index: number) => Math.floor((index * size.floorAreas) / skus.length);
  /** Draws until the attempt makes its mistake. */
  const make = (often: number, attempt: (index: number, drawn: ShelvedSku) => boolean) => {
    const times = Math.ceil((often * skus.length) / 10_000);
    for (let made = 0; made < times; ) {
      const index = below(skus.length);
      const drawn = skus[index];
      if (isFree(drawn) && attempt(index, drawn)) made += 1;
    }
  };
  /** Scans other than lies there. */
  const scan = (kind: MistakeKind, of: ShelvedSku, area: number, units: number) => {
    kindOf.set(of.sku, kind);
    if (units > 0) of.scanned.set(area, units);
    else of.scanned.delete(area);
  };
  const liesIn = (of: ShelvedSku, area: number) => of.lies.get(area) ?? 0;

  make(shelves, (index) => {
    const shelf = skus.slice(index, index + shelfLength);
    const [area, last] = [floorArea(index), floorArea(index + shelfLength - 1)];
    if (shelf.length < shelfLength || area !== last || !shelf.every(isFree)) return false;
    for (const of of shelf) scan("missed shelf", of, area, 0);
    return true;
  });
  make(fastAreas, (index) => {
    const area = floorArea(index);
    if (fast.has(area)) return false;
    fast.add(area);
    const there = skus.filter((of, place) => floorArea(place) === area && isFree(of));
    for (let made = 0; made < inHaste && there.length > 0; made += 1) {
      const [of] = there.splice(below(there.length), 1);
      if (of !== undefined) scan("scanned in haste", of, area, liesIn(of, area) + (below(3) === 0 ? 1 : -1));
    }
    return true;
  });
  make(swaps, (index, one) => {
    const [next, area] = [skus[index + 1], floorArea(index)];
    if (!isFree(next) || next.productTitle !== one.productTitle || floorArea(index + 1) !== area)
      return false;
    const [over, short] = below(2) === 0 ? [one, next] : [next, one];
    const units = 1 + below(liesIn(short, area));
    scan("swap", over, area, liesIn(over, area) + units);
    scan("swap", short, area, liesIn(short, area) - units);
    swapped.set(over.sku, short.sku).set(short.sku, over.sku);
    return true;
  });
  make(doubled, (index, of) => {
    const area = floorArea(index);
    if (floorArea(index + 10) === area || area + 1 >= size.floorAreas) return false;
    scan("counted from both sides", of, area + 1, liesIn(of, area));
    return true;
  });
  make(codes, (index, of) => {
    const area = floorArea(index);
    const units = 1 + below(liesIn(of, area));
    scan("unknown code", of, area, liesIn(of, area) - units);
    mistyped.push({ area, input: withWrongDigit(of.barcode, below), units });
    return true;
  });
  make(miscounts, (_index, of) => {
    const [area, lying] = [...of.lies].toSorted((left, right) => right[1] - left[1])[0] ?? [0, 0];
    const units = 1 + below(Math.max(1, Math.floor(lying / 2)));
    scan("miscount", of, area, below(2) === 0 ? lying + units : Math.max(0, lying - units));
    return true;
  });
  return { kindOf, swapped, mistyped, fastAreas: fast };
}

/** One digit is another: the check digit is wrong then, so that it is no product's. */
function withWrongDigit(barcode: string, below: Below): string {
  const place = below(barcode.length);
  const digit = (Number(barcode[place]) + 1 + below(9)) % 10;
  return `${barcode.slice(0, place)}${digit}${barcode.slice(place + 1)}`;
}
