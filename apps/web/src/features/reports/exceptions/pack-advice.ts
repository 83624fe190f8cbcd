import type { ExceptionGroup } from "@stocktake/contract";
import { quantityText } from "../../../ui/formats.ts";
import { figuresAfter, type RowOf } from "./advice.ts";
import { messages } from "./messages.ts";
import type { ShopProducts } from "./shop-products.ts";

const { advice } = messages;

/** As many as are told one by one. */
const toldAtMost = 6;

interface Choosing {
  /** The product that is chosen; "" where none is yet. */
  readonly sku: string;
  readonly rowOf: RowOf;
}

/**
 * Of scans whose codes are of packs by now: which packs, and what accepting as the chosen product comes to. As a pack's own product a
 * scan counts the pack's units, as any other what was scanned. Nothing where no code is one of a pack.
 */
export function packAdvice(
  groups: readonly Pick<ExceptionGroup, "input" | "inputType" | "units">[],
  packOf: ShopProducts["packOf"],
  { sku, rowOf }: Choosing,
): readonly string[] {
  const found = groups.map((group) => ({ ...group, pack: packOf(group) }));
  const packed = found.flatMap(({ pack, ...group }) => (pack === null ? [] : { ...group, pack }));
  if (packed.length === 0) return [];
  const named = packed
    .slice(0, toldAtMost)
    .map(({ input, pack }) => advice.packOf(input, pack.units, pack.sku));
  const more = packed.length > toldAtMost ? [advice.packsOfMore(packed.length - toldAtMost)] : [];
  if (sku === "") return [...named, ...more];
  const counted = packed.filter(({ pack }) => pack.sku === sku);
  const units = found.reduce((sum, { units, pack }) => sum + units * (pack?.sku === sku ? pack.units : 1), 0);
  const packs = counted.map(({ units, pack }) => advice.packsOf(units, quantityText(pack.units)));
  return [
    ...named,
    ...more,
    ...figuresAfter([{ sku, units }], rowOf),
    packs.length === 0 ? advice.countedAsScanned(sku) : advice.countedByPacks([...new Set(packs)].join(", ")),
  ];
}
