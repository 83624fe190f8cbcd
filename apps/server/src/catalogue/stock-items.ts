import type { VariantRecord } from "../shopify/shopify.ts";

/** A variant of the shop under its distinct SKU, with its stock at the location that was read. */
export interface StockItem {
  readonly sku: string;
  /** What is printed on the label, where that differs from `sku`. */
  readonly plainSku: string | null;
  readonly record: VariantRecord;
}

/**
 * A SKU that is not in `taken` (docs/API.md, "Matching"): the wanted one, or its label with the variant number. The number
 * is added again where another variant's label happens to read like that.
 */
export function freeSku(
  wanted: { readonly sku: string; readonly plainSku: string | null },
  variantNumber: string,
  taken: { has(sku: string): boolean },
): { sku: string; plainSku: string | null } {
  const plainSku = wanted.plainSku ?? wanted.sku;
  if (!taken.has(wanted.sku)) return { sku: wanted.sku, plainSku: wanted.plainSku };
  let sku = `${plainSku}#${variantNumber}`;
  while (taken.has(sku)) sku = `${sku}#${variantNumber}`;
  return { sku, plainSku };
}

/** Gives every variant of the shop its distinct SKU; `records` must be all of them, each once. */
export function stockItems(records: readonly VariantRecord[]): StockItem[] {
  const shared = new Map<string, number>();
  for (const { sku } of records) shared.set(sku, (shared.get(sku) ?? 0) + 1);
  // Labels that only one variant has keep their text, so they are taken before any made-up one.
  const taken = new Set(
    records.filter(({ sku }) => sku !== "" && shared.get(sku) === 1).map(({ sku }) => sku),
  );
  return records.map((record) => {
    const distinct = distinctSku(record.sku, record.variantNumber, (sku) => shared.get(sku) ?? 0);
    if (distinct.plainSku === undefined) return { sku: distinct.sku, plainSku: null, record };
    const free = freeSku({ sku: distinct.sku, plainSku: distinct.plainSku }, record.variantNumber, taken);
    taken.add(free.sku);
    return { ...free, record };
  });
}

/** A variant's SKU everywhere in the product, and what is printed on its label where that differs. */
interface DistinctSku {
  readonly sku: string;
  readonly plainSku?: string;
}

/**
 * Gives every variant a SKU of its own (docs/API.md, "Matching"): an empty or shared one becomes
 * SKU + "#" + variant number. `shared` says how many variants of the shop carry a SKU.
 */
export function distinctSku(
  plainSku: string,
  variantNumber: string,
  shared: (sku: string) => number,
): DistinctSku {
  if (plainSku !== "" && shared(plainSku) === 1) return { sku: plainSku };
  return { sku: `${plainSku}#${variantNumber}`, plainSku };
}
