import type { Catalogue, EmulatorControl } from "@stocktake/shopify-emulator";
import { epcOf } from "@stocktake/testkit/epc";
import { inStoreEan13 } from "../../../../apps/shopify-emulator/src/seeds/ean13.ts";
import type { SkuPlan } from "./shelf-plan.ts";
import type { SimulatedTime } from "./simulated-time.ts";

/** One thing that can be held in a hand. */
export interface Unit {
  readonly sku: string;
  readonly area: number;
  /** The RFID tag on it, as a reader types it; null where there is none. */
  readonly tag: string | null;
  /** Operation ids of its scans, or its line on paper: none where it was not seen, two where it was scanned twice. */
  readonly scans: string[];
  /** Those of them that their counter took back. */
  readonly takenBack: Set<string>;
  /** When it came into an area that was already counted, so that nobody was to see it; else null. */
  readonly cameUnseenAt: number | null;
  isHere: boolean;
  /** When it left before anybody had come to it, so that nobody was to see it either; else null. */
  leftUnseenAt: number | null;
}

/** Two for each of three people. */
export const areasOfShelf = 6;
export const shopLocation = "Shelf";
export const skuOf = (index: number) => `SH-${index + 1}`;
export const barcodeOf = (sku: string) => inStoreEan13(Number(sku.slice("SH-".length)));

/** The shop as Shopify has it at the start: what is on the shelf, and by how much that is wrong. */
export function catalogueOf(skus: readonly SkuPlan[]): Catalogue {
  const variants = skus.map(({ units, wrong, level }, index) => ({
    title: `Size ${index + 1}`,
    sku: skuOf(index),
    barcode: barcodeOf(skuOf(index)),
    options: [{ name: "Size", value: `${index + 1}` }],
    unitCost: "4.00",
    stock: level === "never" ? [null] : [{ available: units + wrong }],
  }));
  return {
    fingerprint: "shelf",
    shop: { name: "Shelf", myshopifyDomain: "shelf.myshopify.com", currencyCode: "USD" },
    locations: [{ name: shopLocation }],
    products: [{ title: "Jacket", variants }],
  };
}

/**
 * What physically lies in the shop, unit by unit. Whatever moves it tells Shopify at the same moment, as a till does; so
 * the two differ by what was wrong at the start alone, and by what the product moves.
 */
export class Shelf {
  readonly skus: readonly string[];
  readonly units: Unit[] = [];
  readonly #shop: EmulatorControl;
  readonly #time: SimulatedTime;
  readonly #ordered = new Map<string, number>();
  readonly #tagged: ReadonlySet<string>;

  constructor(shop: EmulatorControl, time: SimulatedTime, skus: readonly SkuPlan[]) {
    this.#shop = shop;
    this.#time = time;
    this.skus = skus.map((_plan, index) => skuOf(index));
    this.#tagged = new Set(this.skus.filter((_sku, index) => skus[index]?.isTagged));
    skus.forEach(({ units, areaOfFirst }, index) => {
      for (let unit = 0; unit < units; unit += 1)
        this.#put(skuOf(index), (areaOfFirst + unit) % areasOfShelf, false);
    });
  }

  #put(sku: string, area: number, isCounted: boolean): void {
    const cameUnseenAt = isCounted ? this.#time.now() : null;
    this.units.push({
      sku,
      area,
      tag: this.#tagged.has(sku) ? epcOf(barcodeOf(sku), this.units.length + 1) : null,
      scans: [],
      takenBack: new Set(),
      cameUnseenAt,
      isHere: true,
      leftUnseenAt: null,
    });
  }

  of(sku: string): readonly Unit[] {
    return this.units.filter((unit) => unit.sku === sku);
  }

  /** How many of a SKU are there now. */
  count(sku: string): number {
    return this.of(sku).filter(({ isHere }) => isHere).length;
  }

  in(area: number): readonly Unit[] {
    return this.units.filter((unit) => unit.isHere && unit.area === area);
  }

  #free(sku: string): number {
    return this.count(sku) - (this.#ordered.get(sku) ?? 0);
  }

  /** One is carried to the till. `isToBeSeen` tells whether somebody is still to come by a unit. */
  async sell(sku: string, pick: number, isToBeSeen: (unit: Unit) => boolean): Promise<void> {
    if (this.#free(sku) <= 0) return;
    this.#take(sku, pick, isToBeSeen);
    await this.#shop.sell({ item: sku, location: shopLocation, quantity: 1 });
  }

  #take(sku: string, pick: number, isToBeSeen: (unit: Unit) => boolean): void {
    const here = this.of(sku).filter((unit) => unit.isHere);
    const unit = here[pick % here.length];
    if (unit === undefined) return;
    unit.isHere = false;
    unit.leftUnseenAt = isToBeSeen(unit) ? this.#time.now() : null;
  }

  /** Somebody orders one online; it stays where it is until it is shipped. */
  async order(sku: string): Promise<void> {
    if (this.#free(sku) <= 0) return;
    this.#ordered.set(sku, (this.#ordered.get(sku) ?? 0) + 1);
    await this.#shop.sell({ item: sku, location: shopLocation, quantity: 1, ship: true });
  }

  async ship(sku: string, pick: number, isToBeSeen: (unit: Unit) => boolean): Promise<void> {
    const ordered = this.#ordered.get(sku) ?? 0;
    if (ordered === 0) return;
    this.#ordered.set(sku, ordered - 1);
    this.#take(sku, pick, isToBeSeen);
    await this.#shop.fulfil({ item: sku, location: shopLocation, quantity: 1 });
  }

  /** One comes in, or is brought back by a customer. */
  async receive(sku: string, area: number, isCounted: boolean): Promise<void> {
    this.#put(sku, area, isCounted);
    await this.#shop.receive({ item: sku, location: shopLocation, quantity: 1 });
  }
}
