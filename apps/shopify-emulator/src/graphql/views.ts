import { GraphQLError } from "graphql";
import {
  type Level,
  onHand,
  type Product,
  type QuantityName,
  type ShopifyLocation,
  STORED_QUANTITIES,
  type StoredQuantity,
  type Variant,
} from "../entities.ts";
import { gid, gidDigits, levelGid } from "../gid.ts";
import type { Store } from "../store.ts";
import { type Connection, type PageArguments, paginate } from "./paging.ts";
import { searchFilter } from "./search.ts";

/** What views need beside their entity. */
export interface ViewContext {
  readonly store: Store;
  /** The origin under which clients reach the emulator, without a slash at the end. */
  readonly baseUrl: string;
  /** How many rows of a list can be paged through. */
  readonly pageReach: number;
  /** The most rows of a page. */
  readonly pageRows: number;
  /** What a search by updated_at finds: nothing that is younger than this moment. */
  readonly searchedUntil: number;
  /** Searches ignore their filters and say so by `warn`. */
  readonly filterIgnored: boolean;
  readonly warn: (warning: SearchWarning) => void;
}

/** A search filter that was ignored, as the platform tells of it in `extensions.search`. */
export interface SearchWarning {
  readonly path: readonly string[];
  readonly query: string;
  readonly warnings: readonly { readonly field: string; readonly message: string; readonly code: string }[];
}

function warningOf(query: string): SearchWarning {
  const [field = ""] = query.split(":");
  const warnings = [{ field, message: "Invalid search field for this query.", code: "invalid_field" }];
  return { path: ["location", "inventoryLevels"], query, warnings };
}

/** The platform writes times to the second. */
export function isoSeconds(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, "Z");
}

// The views below hold GraphQL fields: a field is a property or a method taking the field's arguments.

class QuantityView {
  readonly __typename = "InventoryQuantity";
  readonly id: string;
  readonly name: QuantityName;
  readonly quantity: number;
  readonly updatedAt: string | null;

  constructor(itemId: string, level: Level, name: QuantityName) {
    const digits = gidDigits(level.locationId);
    this.id = `${gid("InventoryQuantity", digits)}?inventory_item_id=${gidDigits(itemId)}&name=${name}`;
    this.name = name;
    this.quantity = name === "on_hand" ? onHand(level.quantities) : level.quantities[name];
    const changed = name === "on_hand" ? undefined : level.quantityChangedAt[name];
    this.updatedAt = changed === undefined ? null : isoSeconds(changed);
  }
}

function isStored(name: string): name is StoredQuantity {
  return STORED_QUANTITIES.some((stored) => stored === name);
}

function quantityName(name: string): QuantityName {
  if (name === "on_hand" || isStored(name)) return name;
  throw new GraphQLError(`${name} is not a valid inventory quantity name.`);
}

export class LevelView {
  readonly __typename = "InventoryLevel";
  readonly id: string;
  readonly isActive: boolean;
  private readonly variant: Variant;
  private readonly level: Level;
  private readonly context: ViewContext;

  constructor(variant: Variant, level: Level, context: ViewContext) {
    this.variant = variant;
    this.level = level;
    this.context = context;
    this.id = levelGid(variant.itemId, level.locationId);
    this.isActive = level.isActive;
  }

  updatedAt() {
    return isoSeconds(this.level.updatedAt);
  }

  item() {
    return new ItemView(this.variant, this.context);
  }

  location() {
    return locationView(this.level.locationId, this.context);
  }

  quantities({ names }: { names: readonly string[] }) {
    return names.map((name) => new QuantityView(this.variant.itemId, this.level, quantityName(name)));
  }
}

export class ItemView {
  readonly __typename = "InventoryItem";
  readonly id: string;
  readonly tracked: boolean;
  readonly sku: string | null;
  private readonly entity: Variant;
  private readonly context: ViewContext;

  constructor(entity: Variant, context: ViewContext) {
    this.entity = entity;
    this.context = context;
    this.id = entity.itemId;
    this.tracked = entity.tracked;
    this.sku = entity.sku;
  }

  unitCost() {
    const { currencyCode } = this.context.store.shop;
    return this.entity.unitCost === null ? null : { amount: this.entity.unitCost, currencyCode };
  }

  inventoryLevel({ locationId, includeInactive }: { locationId: string; includeInactive?: boolean }) {
    const level = this.context.store.level(this.entity, locationId);
    if (!level || (!level.isActive && !includeInactive)) return null;
    return new LevelView(this.entity, level, this.context);
  }
}

export class VariantView {
  readonly __typename = "ProductVariant";
  readonly id: string;
  readonly title: string;
  readonly sku: string | null;
  readonly barcode: string | null;
  readonly requiresComponents: boolean;
  readonly selectedOptions: Variant["options"];
  private readonly entity: Variant;
  private readonly context: ViewContext;

  constructor(entity: Variant, context: ViewContext) {
    this.entity = entity;
    this.context = context;
    this.id = entity.id;
    this.title = entity.title;
    this.sku = entity.sku;
    this.barcode = entity.barcode;
    this.requiresComponents = entity.requiresComponents;
    this.selectedOptions = entity.options;
  }

  displayName() {
    return `${this.product().title} - ${this.title}`;
  }

  product() {
    const product = this.context.store.products.get(this.entity.productId);
    if (!product) throw new RangeError(`${this.id} has lost its product.`);
    return new ProductView(product, this.context);
  }

  inventoryItem() {
    return new ItemView(this.entity, this.context);
  }
}

export class ProductView {
  readonly __typename = "Product";
  readonly id: string;
  readonly title: string;
  readonly vendor: string;
  readonly productType: string;
  readonly status: string;
  private readonly entity: Product;
  private readonly context: ViewContext;

  constructor(entity: Product, context: ViewContext) {
    this.entity = entity;
    this.context = context;
    this.id = entity.id;
    this.title = entity.title;
    this.vendor = entity.vendor;
    this.productType = entity.productType;
    this.status = entity.status;
  }

  featuredMedia() {
    const { image, handle, sequence } = this.entity;
    if (!image) return null;
    const url =
      image.kind === "address"
        ? image.url
        : `${this.context.baseUrl}/images/${encodeURIComponent(handle)}.svg`;
    return { __typename: "MediaImage", id: gid("MediaImage", sequence), preview: { image: { url } } };
  }
}

interface LevelRow {
  readonly variant: Variant;
  readonly level: Level;
}

export class LocationView {
  readonly __typename = "Location";
  readonly id: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly isFulfillmentService: boolean;
  private readonly entity: ShopifyLocation;
  private readonly context: ViewContext;

  constructor(entity: ShopifyLocation, context: ViewContext) {
    this.entity = entity;
    this.context = context;
    this.id = entity.id;
    this.name = entity.name;
    this.isActive = entity.isActive;
    this.isFulfillmentService = entity.isFulfillmentService;
  }

  inventoryLevels(
    args: PageArguments & { query?: string | null; includeInactive?: boolean },
  ): Connection<LevelView> {
    return paginate(
      {
        rows: this.rows(args.query, args.includeInactive ?? false),
        sequence: ({ variant }) => variant.sequence,
        node: ({ variant, level }) => new LevelView(variant, level, this.context),
        reach: this.context.pageReach,
        pageRows: this.context.pageRows,
      },
      args,
    );
  }

  /** Every level here, for a bulk operation, which does not page. */
  *everyInventoryLevels(): Generator<LevelView> {
    for (const { variant, level } of this.rows(null, false))
      yield new LevelView(variant, level, this.context);
  }

  private rows(query: string | null | undefined, includeInactive: boolean): LevelRow[] {
    const { filterIgnored, searchedUntil, warn } = this.context;
    if (query && filterIgnored) warn(warningOf(query));
    const matches = filterIgnored ? () => true : searchFilter(query);
    const rows: LevelRow[] = [];
    for (const variant of this.context.store.variants.values()) {
      const level = variant.levels[this.entity.position];
      if (!level || (!level.isActive && !includeInactive)) continue;
      const { updates, createdAt } = level;
      const searchable = {
        updated_at: updates.findLast((at) => at <= searchedUntil) ?? createdAt,
        created_at: createdAt,
        inventory_item_id: gidDigits(variant.itemId),
      };
      if (matches(searchable)) rows.push({ variant, level });
    }
    return rows;
  }
}

export function locationView(id: string, context: ViewContext): LocationView | null {
  const location = context.store.location(id);
  return location ? new LocationView(location, context) : null;
}
