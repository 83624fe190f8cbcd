import type { ProductImage, ProductStatus, Quantities, SelectedOption } from "./entities.ts";

/** What a shop starts with: made by a seed, or added over the control paths. */
export interface Catalogue {
  /** Names the seed and its parameters: a stored state is only valid over the same catalogue. */
  readonly fingerprint: string;
  readonly shop: { readonly name: string; readonly myshopifyDomain: string; readonly currencyCode: string };
  readonly locations: readonly LocationSeed[];
  readonly products: readonly ProductSeed[];
}

export interface LocationSeed {
  readonly name: string;
  readonly isActive?: boolean;
  readonly isFulfillmentService?: boolean;
}

export interface ProductSeed {
  readonly title: string;
  readonly handle?: string;
  /** The brand. */
  readonly vendor?: string;
  readonly productType?: string;
  readonly status?: ProductStatus;
  readonly image?: ProductImage | null;
  readonly variants: readonly VariantSeed[];
}

export interface VariantSeed {
  readonly title?: string;
  readonly sku?: string | null;
  readonly barcode?: string | null;
  readonly options?: readonly SelectedOption[];
  /** Default true. */
  readonly tracked?: boolean;
  /** A decimal such as "12.40"; null, the default, is an unknown cost. */
  readonly unitCost?: string | null;
  readonly requiresComponents?: boolean;
  /** In the order of the locations; null or missing: not stocked there. */
  readonly stock?: readonly (Partial<Quantities> | null)[];
}
