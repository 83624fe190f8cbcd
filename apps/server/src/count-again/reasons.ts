import {
  type CountAgainReason,
  cancellingSizes,
  type LikelySwap,
  likelySwaps,
  limits,
  lookAlikesAmong,
} from "@stocktake/contract";
import { type HeldTolerance, limitsExceeded } from "./beyond-tolerance.ts";
import type { CountedInArea, DifferingSku, ListedArea, WaitingCode } from "./material-queries.ts";

/** A SKU that differs, and where it was counted. */
export interface DifferingPlaced extends DifferingSku {
  readonly difference: number;
  readonly places: readonly CountedInArea[];
}

/** A SKU to be counted again: every reason that holds, and the areas to look in, those where it was counted first. */
export interface ListedSku extends DifferingPlaced {
  readonly reasons: readonly CountAgainReason[];
  readonly areaIds: readonly string[];
}

/** A reason, and the areas besides those where the SKU was counted in which to look because of it. */
interface Found {
  readonly reason: CountAgainReason;
  readonly alsoIn: readonly string[];
}

type Rule = (sku: DifferingPlaced) => Found | null;

/** What the reasons are found in. */
export interface Material {
  readonly skus: readonly DifferingPlaced[];
  readonly areas: ReadonlyMap<string, ListedArea>;
  /** A list a location: areas after each other are beside each other. */
  readonly areaOrder: readonly (readonly ListedArea[])[];
  /** How many times as fast as usual. */
  readonly fast: ReadonlyMap<string, number>;
  readonly codes: readonly WaitingCode[];
  /** Null where neither the session nor its store has one. */
  readonly tolerance: HeldTolerance | null;
}

/** The SKUs for which there is any reason, in no order. */
export function skusToCountAgain(material: Material): ListedSku[] {
  const rules: readonly Rule[] = [
    beyondTolerance(material),
    countedFast(material),
    unknownCodes(material),
    siblingsCounted,
    overageNextArea(material),
    negativeStock,
    ...takenForEachOther(material),
  ];
  return material.skus.flatMap((sku) => {
    const found = rules.flatMap((rule) => rule(sku) ?? []);
    if (found.length === 0) return [];
    const areaIds = new Set([
      ...sku.places.map(({ areaId }) => areaId),
      ...found.flatMap(({ alsoIn }) => alsoIn),
    ]);
    return [{ ...sku, reasons: found.map(({ reason }) => reason), areaIds: [...areaIds] }];
  });
}

function beyondTolerance({ tolerance }: Pick<Material, "tolerance">): Rule {
  return (sku) => {
    const limits = tolerance === null ? [] : limitsExceeded(tolerance, sku);
    return limits.length === 0 ? null : { reason: { kind: "BEYOND_TOLERANCE", limits }, alsoIn: [] };
  };
}

function countedFast({ areas, fast }: Material): Rule {
  return ({ places }) => {
    const there = places.flatMap(({ areaId }) => {
      const [area, times] = [areas.get(areaId), fast.get(areaId)];
      return area === undefined || times === undefined ? [] : [{ _id: areaId, code: area.code, times }];
    });
    return there.length === 0 ? null : { reason: { kind: "FAST_AREA", areas: there }, alsoIn: [] };
  };
}

function unknownCodes({ codes }: Material): Rule {
  const byInput = new Map(codes.map((code) => [code.input, code]));
  const alikeTo = lookAlikesAmong(byInput.keys());
  return ({ difference, sku, barcode }) => {
    if (difference > 0 || codes.length === 0) return null;
    const inputs = new Set([...alikeTo(sku), ...(barcode === null ? [] : alikeTo(barcode))]);
    const alike = [...inputs].flatMap((input) => byInput.get(input) ?? []);
    if (alike.length === 0) return null;
    return {
      reason: { kind: "UNKNOWN_CODES", codes: alike.map(({ input, units }) => ({ input, units })) },
      alsoIn: alike.flatMap(({ areaIds }) => areaIds),
    };
  };
}

const siblingsCounted: Rule = ({ hasCount, onHand, variantsCounted }) =>
  hasCount || onHand <= 0 || variantsCounted === 0
    ? null
    : { reason: { kind: "SIBLINGS_COUNTED", siblings: variantsCounted }, alsoIn: [] };

/** What lies where two areas meet may have been counted from both sides: as often as it is over, and never more than either has. */
function overageNextArea({ areaOrder }: Material): Rule {
  const place = new Map(
    areaOrder.flatMap((areas, location) =>
      areas.map((area, index) => [area.id, { location, index, area }] as const),
    ),
  );
  return ({ difference, places }) => {
    if (difference <= 0) return null;
    const there = places
      .flatMap(({ areaId, units }) => (units < difference ? [] : (place.get(areaId) ?? [])))
      .toSorted((left, right) => left.location - right.location || left.index - right.index);
    const meeting = there.filter(({ location, index }) =>
      there.some((other) => other.location === location && Math.abs(other.index - index) === 1),
    );
    if (meeting.length === 0) return null;
    const areas = meeting.map(({ area }) => ({ _id: area.id, code: area.code }));
    return { reason: { kind: "OVERAGE_NEXT_AREA", areas }, alsoIn: [] };
  };
}

const negativeStock: Rule = ({ onHand }) =>
  onHand < 0 ? { reason: { kind: "NEGATIVE_STOCK" }, alsoIn: [] } : null;

/** A SKU as the report's rules look at it. */
interface Compared {
  readonly sku: string;
  readonly productTitle: string;
  readonly size: string | null;
  readonly variance: number;
  readonly areas: readonly string[];
  readonly placed: DifferingPlaced;
}

/** The report's own rules, over what differs by now. */
function takenForEachOther({ skus, areas, areaOrder }: Material): readonly Rule[] {
  const compared = skus.map((placed) => ({
    ...{ sku: placed.sku, productTitle: placed.productTitle, size: placed.size, variance: placed.difference },
    areas: placed.places.flatMap(({ areaId }) => areas.get(areaId)?.name ?? []),
    placed,
  }));
  const order = areaOrder.map((location) => location.map(({ name }) => name));
  const pairs = likelySwaps(compared, order);
  return [swapSuspected(pairs), sizesCancelOut(cancellingSizes(compared, order, pairs))];
}

const areaIdsOf = ({ placed }: Compared) => placed.places.map(({ areaId }) => areaId);

function swapSuspected(pairs: readonly LikelySwap<Compared>[]): Rule {
  const swaps = new Map(
    pairs.flatMap(({ over, short, why }) => [
      [over.sku, { other: short, why }] as const,
      [short.sku, { other: over, why }] as const,
    ]),
  );
  return (of) => {
    const swap = swaps.get(of.sku);
    if (swap === undefined) return null;
    const { sku, productTitle, size, variance: difference } = swap.other;
    return {
      reason: { kind: "SWAP_SUSPECTED", sku, productTitle, size, difference, why: swap.why },
      alsoIn: areaIdsOf(swap.other),
    };
  };
}

function sizesCancelOut(groups: readonly (readonly Compared[])[]): Rule {
  const groupOf = new Map(
    groups.flatMap((sizes) => {
      const group = { sizes, areaIds: [...new Set(sizes.flatMap(areaIdsOf))] };
      return sizes.map(({ sku }) => [sku, group] as const);
    }),
  );
  return (of) => {
    const group = groupOf.get(of.sku);
    if (group === undefined) return null;
    // One more than are named, as it is among them itself: a title may be of thousands of SKUs.
    const others = group.sizes.slice(0, limits.groupedNames + 1).filter(({ sku }) => sku !== of.sku);
    const named = others.slice(0, limits.groupedNames);
    return {
      reason: {
        kind: "SIZES_CANCEL_OUT",
        others: named.map(({ sku, size, variance: difference }) => ({ sku, size, difference })),
        othersLeftOut: group.sizes.length - 1 - named.length,
      },
      alsoIn: group.areaIds,
    };
  };
}
