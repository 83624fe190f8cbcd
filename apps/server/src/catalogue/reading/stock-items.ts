import { forEachInSlices } from "../../kernel/slices.ts";

/** A variant's SKU everywhere in the product (docs/API.md, "Matching"). */
export interface ItemName {
  readonly sku: string;
  /** What is printed on the label, where that differs from `sku`. */
  readonly plainSku: string | null;
}

/**
 * A SKU that is not in `taken`: the wanted one, or its label with the variant number. The number is added again where another
 * variant's label happens to read like that.
 */
export function freeSku(
  wanted: ItemName,
  variantNumber: string,
  taken: { has(sku: string): boolean },
): ItemName {
  const plainSku = wanted.plainSku ?? wanted.sku;
  if (!taken.has(wanted.sku)) return { sku: wanted.sku, plainSku: wanted.plainSku };
  let sku = `${plainSku}#${variantNumber}`;
  while (taken.has(sku)) sku = `${sku}#${variantNumber}`;
  return { sku, plainSku };
}

/** The variants of a shop as their names are made of them, each by the number of its row. */
export interface Labels {
  /** All of the shop's, each once, in their order. */
  readonly rows: readonly number[];
  labelOf(row: number): string;
  variantNumberOf(row: number): string;
}

/** Some milliseconds' work. */
const itemsAtOnce = 2_000;

/**
 * Gives every variant of the shop a SKU of its own: a label that is empty or shared becomes label + "#" + variant number. Resolves to the names
 * of those variants, by their rows; the SKU of every other is its label.
 */
export async function tellApart({ rows, labelOf, variantNumberOf }: Labels): Promise<Map<number, ItemName>> {
  const labels = new Set<string>();
  const shared = new Set([""]);
  await forEachInSlices(rows, itemsAtOnce, (row) => {
    const label = labelOf(row);
    if (labels.has(label)) shared.add(label);
    else labels.add(label);
  });
  const made = new Set<string>();
  // Labels that only one variant has keep their text, so they are taken before any made-up one.
  const taken = { has: (sku: string) => made.has(sku) || (labels.has(sku) && !shared.has(sku)) };
  const names = new Map<number, ItemName>();
  await forEachInSlices(rows, itemsAtOnce, (row) => {
    const plainSku = labelOf(row);
    if (!shared.has(plainSku)) return;
    const variantNumber = variantNumberOf(row);
    const name = freeSku({ sku: `${plainSku}#${variantNumber}`, plainSku }, variantNumber, taken);
    made.add(name.sku);
    names.set(row, name);
  });
  return names;
}
