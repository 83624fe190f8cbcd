/** The quantities that a level stores; on_hand is their sum without `incoming`. */
export const STORED_QUANTITIES = [
  "available",
  "committed",
  "damaged",
  "incoming",
  "quality_control",
  "reserved",
  "safety_stock",
] as const;

export type StoredQuantity = (typeof STORED_QUANTITIES)[number];

/** The names that `quantities(names:)` takes. */
export type QuantityName = StoredQuantity | "on_hand";

export type Quantities = Record<StoredQuantity, number>;

export type ProductStatus = "ACTIVE" | "ARCHIVED" | "DRAFT" | "UNLISTED";

export interface Shop {
  readonly id: string;
  readonly name: string;
  readonly myshopifyDomain: string;
  readonly currencyCode: string;
}

export interface ShopifyLocation {
  readonly id: string;
  /** The index of this location's levels in `Variant.levels`. */
  readonly position: number;
  name: string;
  isActive: boolean;
  isFulfillmentService: boolean;
}

export interface SelectedOption {
  readonly name: string;
  readonly value: string;
}

/** A drawn picture, or the address of one elsewhere. */
export type ProductImage =
  | { readonly kind: "drawing"; readonly garment: string; readonly colour: string }
  | { readonly kind: "address"; readonly url: string };

export interface Product {
  readonly id: string;
  /** Grows with every product: the order of lists and cursors. */
  readonly sequence: number;
  handle: string;
  title: string;
  vendor: string;
  productType: string;
  status: ProductStatus;
  image: ProductImage | null;
}

/** Stock of one item at one location; times are milliseconds since 1970. */
export interface Level {
  readonly locationId: string;
  readonly createdAt: number;
  isActive: boolean;
  updatedAt: number;
  /** Every `updatedAt` that it has had, oldest first: a search that runs behind goes by an earlier one. */
  readonly updates: number[];
  readonly quantities: Quantities;
  readonly quantityChangedAt: Partial<Record<StoredQuantity, number>>;
}

/** A variant together with its inventory item, which the platform keeps one to one. */
export interface Variant {
  readonly id: string;
  readonly itemId: string;
  readonly productId: string;
  readonly sequence: number;
  title: string;
  sku: string | null;
  barcode: string | null;
  options: readonly SelectedOption[];
  tracked: boolean;
  /** A decimal in the shop's currency such as "12.40", or null where there is no cost. */
  unitCost: string | null;
  /** A bundle: its stock follows from its components and cannot be written. */
  requiresComponents: boolean;
  /** One entry for each location, null where the item was never stocked. */
  readonly levels: (Level | null)[];
}

export type MovementCause = "adjustment" | "sale" | "fulfilment" | "receipt" | "set";

/** One change of one stored quantity; the list of them is only ever appended to. */
export interface Movement {
  readonly sequence: number;
  readonly at: string;
  readonly cause: MovementCause;
  readonly itemId: string;
  readonly sku: string | null;
  readonly locationId: string;
  readonly name: StoredQuantity;
  readonly delta: number;
  /** The named quantity and on_hand once this movement was applied. */
  readonly quantityAfter: number;
  readonly onHandAfter: number;
  readonly groupId: string | null;
  readonly reason: string | null;
  readonly referenceDocumentUri: string | null;
  readonly idempotencyKey: string | null;
}

/** A change inside an adjustment group, as the platform lists it. */
export interface GroupChange {
  readonly name: QuantityName;
  readonly delta: number;
  readonly itemId: string;
  readonly locationId: string;
  readonly ledgerDocumentUri: string | null;
}

export interface AdjustmentGroup {
  readonly id: string;
  readonly createdAt: number;
  readonly reason: string;
  readonly referenceDocumentUri: string | null;
  readonly changes: readonly GroupChange[];
}

export interface UserError {
  readonly code: string;
  readonly field: readonly string[] | null;
  readonly message: string;
}

/** What the platform remembers of an idempotency key. */
export interface KeyRecord {
  readonly key: string;
  /** The digest of the parameters that the key came with. */
  readonly fingerprint: string;
  readonly at: number;
  /** `applied` with null: nothing had to change. `failed`: a user error burned the key. */
  readonly outcome:
    | { readonly kind: "applied"; readonly groupId: string | null }
    | { readonly kind: "failed" };
}

/** Every unit physically at the location, spoken for or not; incoming stock is not there yet. */
export function onHand(quantities: Quantities): number {
  return (
    quantities.available +
    quantities.committed +
    quantities.damaged +
    quantities.quality_control +
    quantities.reserved +
    quantities.safety_stock
  );
}
