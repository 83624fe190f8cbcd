import type { ProductSeed, VariantSeed } from "./catalogue.ts";
import type {
  AdjustmentGroup,
  KeyRecord,
  MovementCause,
  Product,
  StoredQuantity,
  Variant,
} from "./entities.ts";

export interface MovementRow {
  readonly itemId: string;
  readonly locationId: string;
  readonly name: StoredQuantity;
  readonly delta: number;
}

export type ProductChange = Partial<
  Pick<Product, "title" | "handle" | "vendor" | "productType" | "status" | "image">
>;

export type VariantChange = Partial<
  Pick<Variant, "title" | "sku" | "barcode" | "options" | "tracked" | "unitCost" | "requiresComponents">
>;

/**
 * Everything that can happen to the shop, as it is written to the journal; `at` is in milliseconds. An
 * adjustment carries its group and its key, so that a crash keeps all three or none.
 */
export type StoreEvent =
  | {
      readonly type: "moved";
      readonly at: number;
      readonly cause: MovementCause;
      readonly rows: readonly MovementRow[];
      readonly group?: AdjustmentGroup;
      readonly key?: KeyRecord;
    }
  | { readonly type: "keyKept"; readonly at: number; readonly record: KeyRecord }
  | {
      readonly type: "levelSwitched";
      readonly at: number;
      readonly itemId: string;
      readonly locationId: string;
      readonly isActive: boolean;
    }
  | { readonly type: "productAdded"; readonly at: number; readonly product: ProductSeed }
  | {
      readonly type: "productChanged";
      readonly at: number;
      readonly productId: string;
      readonly change: ProductChange;
    }
  | { readonly type: "productDeleted"; readonly at: number; readonly productId: string }
  | {
      readonly type: "variantAdded";
      readonly at: number;
      readonly productId: string;
      readonly variant: VariantSeed;
    }
  | {
      readonly type: "variantChanged";
      readonly at: number;
      readonly variantId: string;
      readonly change: VariantChange;
    }
  | { readonly type: "variantDeleted"; readonly at: number; readonly variantId: string };
