import type { Catalogue, ProductSeed, VariantSeed } from "./catalogue.ts";
import {
  type AdjustmentGroup,
  type KeyRecord,
  type Level,
  type Movement,
  onHand,
  type Product,
  type Quantities,
  type Shop,
  type ShopifyLocation,
  type Variant,
} from "./entities.ts";
import type { MovementRow, StoreEvent } from "./events.ts";
import { gid } from "./gid.ts";

/**
 * Numbers of inventory items lie above 2^53, as the platform's may: a client that reads one as a
 * JavaScript number gets a wrong id and is found out.
 */
const FIRST_ITEM = 9_107_199_254_740_993n;

const FIRST = { Product: 8_210_000_000_000, ProductVariant: 44_310_000_000_000, Location: 70_410_000_000 };

const locationGid = (sequence: number) => gid("Location", FIRST.Location + sequence);
const productGid = (sequence: number) => gid("Product", FIRST.Product + sequence);
const variantGid = (sequence: number) => gid("ProductVariant", FIRST.ProductVariant + sequence);
const itemGid = (sequence: number) => gid("InventoryItem", FIRST_ITEM + BigInt(sequence));

/** Called with every committed event, in order. */
export type StoreListener = (event: StoreEvent) => void;

/**
 * The whole shop in memory. It changes only by events (`commit`), so that the journal of events is the
 * state. Lists are in the order of their sequence numbers.
 */
export class Store {
  shop: Shop = { id: "", name: "", myshopifyDomain: "", currencyCode: "" };
  locations: ShopifyLocation[] = [];
  products = new Map<string, Product>();
  /** By variant id, in the order of their sequence. */
  variants = new Map<string, Variant>();
  items = new Map<string, Variant>();
  groups = new Map<string, AdjustmentGroup>();
  keys = new Map<string, KeyRecord>();
  movements: Movement[] = [];
  private lastProduct = 0;
  private lastVariant = 0;
  private readonly listeners = new Set<StoreListener>();

  constructor(catalogue: Catalogue, at: number) {
    this.load(catalogue, at);
  }

  /** Starts over from a catalogue; listeners stay. */
  load(catalogue: Catalogue, at: number): void {
    this.shop = { id: gid("Shop", 61_000_000_001), ...catalogue.shop };
    this.locations = catalogue.locations.map((seed, position) => ({
      id: locationGid(position + 1),
      position,
      name: seed.name,
      isActive: seed.isActive ?? true,
      isFulfillmentService: seed.isFulfillmentService ?? false,
    }));
    this.products = new Map();
    this.variants = new Map();
    this.items = new Map();
    this.groups = new Map();
    this.keys = new Map();
    this.movements = [];
    this.lastProduct = 0;
    this.lastVariant = 0;
    for (const product of catalogue.products) this.addProduct(product, at);
  }

  listen(listener: StoreListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Applies an event and calls the listeners; the first listener is the journal. */
  commit(event: StoreEvent): void {
    this.apply(event);
    for (const listener of this.listeners) listener(event);
  }

  location(id: string): ShopifyLocation | undefined {
    return this.locations.find((location) => location.id === id);
  }

  level(variant: Variant, locationId: string): Level | null {
    const location = this.location(locationId);
    return location ? (variant.levels[location.position] ?? null) : null;
  }

  /** Every variant with this SKU: SKUs are not unique. */
  variantsBySku(sku: string): Variant[] {
    return [...this.variants.values()].filter((variant) => variant.sku === sku);
  }

  variantsOf(productId: string): Variant[] {
    return [...this.variants.values()].filter((variant) => variant.productId === productId);
  }

  /** The next number for a new adjustment group. */
  nextGroupId(): string {
    return gid("InventoryAdjustmentGroup", 54_640_000_000_000 + this.groups.size + 1);
  }

  /** Applies an event without calling the listeners: what replaying a journal does. */
  apply(event: StoreEvent): void {
    switch (event.type) {
      case "moved":
        this.applyMovements(event);
        return;
      case "keyKept":
        this.keys.set(event.record.key, event.record);
        return;
      case "levelSwitched":
        this.switchLevel(event);
        return;
      case "productAdded":
        this.addProduct(event.product, event.at);
        return;
      case "productChanged":
        Object.assign(this.required(this.products, event.productId), event.change);
        return;
      case "productDeleted":
        for (const variant of this.variantsOf(event.productId)) this.deleteVariant(variant);
        this.products.delete(event.productId);
        return;
      case "variantAdded":
        this.addVariant(this.required(this.products, event.productId), event.variant, event.at);
        return;
      case "variantChanged":
        Object.assign(this.required(this.variants, event.variantId), event.change);
        return;
      case "variantDeleted":
        this.deleteVariant(this.required(this.variants, event.variantId));
        return;
    }
  }

  private required<Entity>(from: Map<string, Entity>, id: string): Entity {
    const found = from.get(id);
    if (!found) throw new RangeError(`The shop has no ${id}.`);
    return found;
  }

  private applyMovements(event: Extract<StoreEvent, { type: "moved" }>): void {
    if (event.group) this.groups.set(event.group.id, event.group);
    if (event.key) this.keys.set(event.key.key, event.key);
    for (const row of event.rows) this.move(event, row);
  }

  private move(event: Extract<StoreEvent, { type: "moved" }>, row: MovementRow): void {
    const variant = this.required(this.items, row.itemId);
    const level = this.levelToWrite(variant, row.locationId, event.at);
    level.quantities[row.name] += row.delta;
    level.quantityChangedAt[row.name] = event.at;
    touch(level, event.at);
    this.movements.push({
      sequence: this.movements.length + 1,
      at: new Date(event.at).toISOString(),
      cause: event.cause,
      itemId: row.itemId,
      sku: variant.sku,
      locationId: row.locationId,
      name: row.name,
      delta: row.delta,
      quantityAfter: level.quantities[row.name],
      onHandAfter: onHand(level.quantities),
      groupId: event.group?.id ?? null,
      reason: event.group?.reason ?? null,
      referenceDocumentUri: event.group?.referenceDocumentUri ?? null,
      idempotencyKey: event.key?.key ?? null,
    });
  }

  /** A write to a location that does not stock the item lands on a level that stays inactive. */
  private levelToWrite(variant: Variant, locationId: string, at: number): Level {
    const location = this.location(locationId);
    if (!location) throw new RangeError(`The shop has no ${locationId}.`);
    const level = variant.levels[location.position] ?? this.newLevel(locationId, {}, at, false);
    variant.levels[location.position] = level;
    return level;
  }

  private switchLevel(event: Extract<StoreEvent, { type: "levelSwitched" }>): void {
    const level = this.levelToWrite(this.required(this.items, event.itemId), event.locationId, event.at);
    level.isActive = event.isActive;
    touch(level, event.at);
  }

  private newLevel(locationId: string, stock: Partial<Quantities>, at: number, isActive: boolean): Level {
    const quantities = { ...noQuantities(), ...stock };
    return {
      locationId,
      createdAt: at,
      isActive,
      updatedAt: at,
      updates: [at],
      quantities,
      quantityChangedAt: { available: at },
    };
  }

  private addProduct(seed: ProductSeed, at: number): void {
    this.lastProduct += 1;
    const product: Product = {
      id: productGid(this.lastProduct),
      sequence: this.lastProduct,
      handle: seed.handle ?? `product-${this.lastProduct}`,
      title: seed.title,
      vendor: seed.vendor ?? "",
      productType: seed.productType ?? "",
      status: seed.status ?? "ACTIVE",
      image: seed.image ?? null,
    };
    this.products.set(product.id, product);
    for (const variant of seed.variants) this.addVariant(product, variant, at);
  }

  private addVariant(product: Product, seed: VariantSeed, at: number): void {
    this.lastVariant += 1;
    const variant: Variant = {
      id: variantGid(this.lastVariant),
      itemId: itemGid(this.lastVariant),
      productId: product.id,
      sequence: this.lastVariant,
      title: seed.title ?? "Default Title",
      sku: seed.sku ?? null,
      barcode: seed.barcode ?? null,
      options: seed.options ?? [{ name: "Title", value: "Default Title" }],
      tracked: seed.tracked ?? true,
      unitCost: seed.unitCost ?? null,
      requiresComponents: seed.requiresComponents ?? false,
      levels: this.locations.map((location) => {
        const stock = seed.stock?.[location.position];
        return stock ? this.newLevel(location.id, stock, at, true) : null;
      }),
    };
    this.variants.set(variant.id, variant);
    this.items.set(variant.itemId, variant);
  }

  private deleteVariant(variant: Variant): void {
    this.variants.delete(variant.id);
    this.items.delete(variant.itemId);
  }
}

function touch(level: Level, at: number): void {
  level.updatedAt = at;
  level.updates.push(at);
}

function noQuantities(): Quantities {
  return {
    available: 0,
    committed: 0,
    damaged: 0,
    incoming: 0,
    quality_control: 0,
    reserved: 0,
    safety_stock: 0,
  };
}
