import type { EmulatorControl, ShopSnapshot } from "@stocktake/shopify-emulator";

/** One sellable thing of the shop, with what a report says of it. */
export interface Article {
  readonly title: string;
  readonly size: string;
  readonly sku: string;
  readonly barcode: string;
  readonly unitCostCents: number | null;
  /** The units of one pack, where the barcode is a pack's. */
  readonly packUnits?: number;
}

/** What the report must say of an article, worked out from what happened to it. */
export interface ExpectedRow {
  readonly start: number;
  readonly end: number;
  readonly counted: number;
  readonly variance: number;
  readonly impactCents: number | null;
}

type Variant = ShopSnapshot["variants"][number];

function cents(money: string | null): number | null {
  return money === null ? null : Math.round(Number(money) * 100);
}

/** Finds an article by its product's title and its size. */
export function findArticle(shop: ShopSnapshot, title: string, size: string): Article {
  const product = shop.products.find((each) => each.title === title);
  const variant = shop.variants.find((each) => each.productId === product?.id && each.title === size);
  if (variant === undefined || variant.sku === null || variant.barcode === null) {
    throw new Error(`The shop has no ${title} in ${size} with a SKU and a barcode.`);
  }
  const { sku, barcode, unitCost } = variant;
  return { title, size, sku, barcode, unitCostCents: cents(unitCost) };
}

/** Every unit at a location, spoken for or not. */
export function onHandOf(variant: Variant, position: number): number {
  const { incoming: _, ...present } = variant.levels[position]?.quantities ?? {};
  return Object.values(present).reduce((sum, quantity) => sum + quantity, 0);
}

export interface ExpectedSummary {
  readonly totalItems: number;
  readonly shortages: number;
  readonly overages: number;
  readonly matches: number;
  readonly impactCents: number;
}

/** Counted less on hand at the end, at unit cost. */
export function expectRow(
  article: Article,
  happened: { start: number; sold: number; counted: number },
): ExpectedRow {
  const end = happened.start - happened.sold;
  const variance = happened.counted - end;
  const impactCents = article.unitCostCents === null ? null : variance * article.unitCostCents;
  return { start: happened.start, end, counted: happened.counted, variance, impactCents };
}

/** The summary of a full count in which everything but `counted` (by SKU) was found nowhere. */
export function expectSummary(
  before: ShopSnapshot,
  position: number,
  counted: ReadonlyMap<string, ExpectedRow>,
): ExpectedSummary {
  const rows = before.variants.flatMap((variant): ExpectedRow[] => {
    const known = counted.get(variant.sku ?? "");
    if (known !== undefined) return [known];
    const start = onHandOf(variant, position);
    const cost = cents(variant.unitCost);
    const row = { start, end: start, counted: 0, variance: -start };
    return start === 0 ? [] : [{ ...row, impactCents: cost === null ? null : -start * cost }];
  });
  const having = (wanted: (variance: number) => boolean) => rows.filter((row) => wanted(row.variance)).length;
  return {
    totalItems: rows.length,
    shortages: having((variance) => variance < 0),
    overages: having((variance) => variance > 0),
    matches: having((variance) => variance === 0),
    impactCents: rows.reduce((sum, row) => sum + (row.impactCents ?? 0), 0),
  };
}

/** What was booked since a movement, by SKU: adjustments alone, not what was sold. */
export async function adjustmentsSince(
  shop: EmulatorControl,
  location: string,
  after: number,
): Promise<Record<string, number>> {
  const { movements } = await shop.movements({ location, after });
  const sums = new Map<string, number>();
  for (const { cause, sku, delta } of movements) {
    if (cause === "adjustment") sums.set(sku ?? "", (sums.get(sku ?? "") ?? 0) + delta);
  }
  return Object.fromEntries(sums);
}

/** The number of the newest movement at a location; 0 where nothing has moved. */
export async function newestMovement(shop: EmulatorControl, location: string): Promise<number> {
  return (await shop.movements({ location })).movements.at(-1)?.sequence ?? 0;
}

export function signed(value: number): string {
  return new Intl.NumberFormat("en-US", { signDisplay: "exceptZero" }).format(value);
}

/** Money as the pages write it; unknown money is a dash. */
export function signedDollars(inCents: number | null): string {
  if (inCents === null) return "–";
  const format = { style: "currency", currency: "USD", signDisplay: "exceptZero" } as const;
  return new Intl.NumberFormat("en-US", format).format(inCents / 100);
}

/** A SKU that several products have. */
export function findSharedSku({ variants }: ShopSnapshot): string {
  const skus = variants.map(({ sku }) => sku);
  const shared = skus.find((sku, index) => sku !== null && sku !== "" && skus.indexOf(sku) !== index);
  if (shared === undefined || shared === null) throw new Error("Every SKU of the shop is its product's own.");
  return shared;
}
