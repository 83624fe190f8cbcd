import { type Catalogue, syntheticCatalogue } from "@stocktake/shopify-emulator";

/** A SKU as it lies on the shelves, as Shopify has it, and as it was scanned. */
export interface ShelvedSku {
  readonly sku: string;
  readonly barcode: string;
  readonly productTitle: string;
  readonly unitCostCents: number | null;
  /** Units by area, as they lie. */
  readonly lies: ReadonlyMap<number, number>;
  /** Shopify's, which is not always what lies there: some were stolen, some were booked wrongly. */
  readonly onHand: number;
  /** Units by area, as they were scanned under its own code. */
  readonly scanned: Map<number, number>;
}

/** How large a shop is; its areas are numbered from those of the sales floor on. */
export interface ShopSize {
  readonly skus: number;
  readonly floorAreas: number;
  readonly stockAreas: number;
}

export interface Shelves {
  readonly size: ShopSize;
  readonly skus: readonly ShelvedSku[];
  /** The same shop as Shopify has it, its first location being the store's. */
  readonly catalogue: Catalogue;
}

type Below = (end: number) => number;

/**
 * A shop of six sizes a product, SKUs and barcodes numbered one after the other, which makes many of them alike. Each lies on the sales
 * floor beside its neighbours, two in five in the stockroom too, where there is one. One in twenty has no known cost. Of a hundred SKUs so many, at most four, are not what Shopify has.
 */
export function seededShelves(size: ShopSize, below: Below, notAsShopify: 0 | 4): Shelves {
  const synthetic = syntheticCatalogue(size.skus);
  const skus: ShelvedSku[] = [];
  const products = synthetic.products.map((product) => ({
    ...product,
    variants: product.variants.map((variant) => {
      const lies = placesOf(skus.length, size, below);
      const onHand = unitsIn(lies) + notOnShelf(below, notAsShopify);
      const unitCost = below(20) === 0 ? null : (variant.unitCost ?? null);
      skus.push({
        ...{ sku: variant.sku ?? "", barcode: variant.barcode ?? "", productTitle: product.title },
        unitCostCents: unitCost === null ? null : Math.round(Number(unitCost) * 100),
        ...{ lies, onHand, scanned: new Map(lies) },
      });
      return { ...variant, unitCost, stock: [{ available: onHand }, null] };
    }),
  }));
  return { size, skus, catalogue: { ...synthetic, products } };
}

function placesOf(index: number, { skus, floorAreas, stockAreas }: ShopSize, below: Below) {
  const onFloor: readonly [number, number] = [Math.floor((index * floorAreas) / skus), 1 + below(6)];
  if (below(5) >= 2 || stockAreas === 0) return new Map([onFloor]);
  return new Map([onFloor, [floorAreas + Math.floor((index * stockAreas) / skus), 2 + below(14)]]);
}

/** What Shopify has beyond what lies there: mostly nothing, else mostly a unit or two that were stolen. */
function notOnShelf(below: Below, inHundred: 0 | 4): number {
  const drawn = below(100);
  if (drawn >= inHundred) return 0;
  const units = below(4) === 0 ? 3 + below(4) : 1 + below(2);
  return drawn === 3 ? -units : units;
}

/** How many units there are in all areas together. */
export function unitsIn(areas: ReadonlyMap<number, number>): number {
  return [...areas.values()].reduce((sum, units) => sum + units, 0);
}
