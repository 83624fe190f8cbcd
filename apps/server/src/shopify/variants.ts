import { scannedCode } from "@stocktake/contract";
import { z } from "zod";
import { exactCents } from "../kernel/money.ts";
import { PlatformRejectedError } from "./errors.ts";
import { gidNumber } from "./gid.ts";
import { quantitiesSchema, quantityNamed } from "./levels.ts";
import { sizeOf } from "./size-option.ts";

/** A variant of the shop's catalogue with its stock at one location. */
export interface VariantRecord {
  /** gid://shopify/InventoryItem/…: the unit that is counted. */
  inventoryItemId: string;
  /** gid://shopify/ProductVariant/… */
  variantId: string;
  /** The digits of variantId, as text: they pass 2^53. */
  variantNumber: string;
  /** gid://shopify/Product/… */
  productId: string;
  /** Trimmed; "" where the variant has none. Not unique. */
  sku: string;
  barcode: string | null;
  productTitle: string;
  /** The brand, as Shopify keeps it; "" where none is entered. */
  vendor: string;
  /** "" where none is entered. */
  productType: string;
  variantTitle: string;
  size: string | null;
  /** The address of the product's featured image. */
  image: string | null;
  /** false: the platform keeps no stock of it. */
  tracked: boolean;
  /** A bundle: its stock follows from its components and cannot be adjusted. */
  requiresComponents: boolean;
  /** Integer hundredths; null where no cost is entered or may be read, and for one that no number holds exactly. */
  unitCostCents: number | null;
  /** The currency of the cost that is entered, held or not; null where none is. */
  currency: string | null;
  /** Whether there is an active level at the location; false too where no location was asked for. */
  stocked: boolean;
  onHand: number;
  available: number;
  /** When the level was last changed, by Shopify's clock in whole seconds (ISO 8601); null where it is not stocked. */
  levelUpdatedAt: string | null;
  productStatus: "ACTIVE" | "ARCHIVED" | "DRAFT" | "UNLISTED";
}

/** One node of productVariants, by page or by bulk operation. */
export const variantNodeSchema = z.object({
  id: z.string(),
  title: z.string(),
  sku: z.string().nullish(),
  barcode: z.string().nullish(),
  requiresComponents: z.boolean(),
  selectedOptions: z.array(z.object({ name: z.string(), value: z.string() })),
  product: z.object({
    id: z.string(),
    title: z.string(),
    vendor: z.string(),
    productType: z.string(),
    status: z.enum(["ACTIVE", "ARCHIVED", "DRAFT", "UNLISTED"]),
    featuredMedia: z
      .object({ preview: z.object({ image: z.object({ url: z.string() }).nullish() }).nullish() })
      .nullish(),
  }),
  inventoryItem: z.object({
    id: z.string(),
    tracked: z.boolean(),
    unitCost: z.object({ amount: z.string(), currencyCode: z.string() }).nullish(),
    inventoryLevel: z
      .object({ isActive: z.boolean(), updatedAt: z.string(), quantities: quantitiesSchema })
      .nullish(),
  }),
});

type VariantNode = z.infer<typeof variantNodeSchema>;

/** The record of a node. Throws a PlatformRejectedError for an id or an amount of an unknown form. */
export function variantRecord(node: VariantNode): VariantRecord {
  const { product, inventoryItem } = node;
  return {
    inventoryItemId: inventoryItem.id,
    variantId: node.id,
    variantNumber: expected(() => gidNumber("ProductVariant", node.id)),
    productId: product.id,
    sku: codeOf(node.sku),
    barcode: codeOf(node.barcode) || null,
    productTitle: storable(product.title),
    vendor: storable(product.vendor).trim(),
    productType: storable(product.productType).trim(),
    variantTitle: node.title,
    size: sizeOf(node.selectedOptions, node.title),
    image: product.featuredMedia?.preview?.image?.url ?? null,
    tracked: inventoryItem.tracked,
    requiresComponents: node.requiresComponents,
    ...costOf(inventoryItem),
    ...stockOf(inventoryItem),
    productStatus: product.status,
  };
}

/** What neither a database nor a scan's input holds: control characters, and halves of a character. */
const notStorable = /\p{Cc}|\p{Surrogate}/gu;

function storable(text: string): string {
  return text.replace(notStorable, "");
}

/** A SKU or barcode; empty where it shows nothing, because no label carries such a code and nobody can type it. */
function codeOf(text: string | null | undefined): string {
  const code = storable(text ?? "").trim();
  return scannedCode(code) === "" ? "" : code;
}

const decimalPattern = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * A decimal text such as "12.5" as integer hundredths, 1250, without floating point; further places are
 * rounded half away from zero. Null for an amount that is too large to be worked with exactly. Throws a RangeError for
 * anything that is not a plain decimal number.
 */
export function centsOf(amount: string): number | null {
  const [matched, sign, whole = "", fraction = ""] = decimalPattern.exec(amount) ?? [];
  if (matched === undefined) throw new RangeError(`${JSON.stringify(amount)} is not an amount of money.`);
  const hundredths = BigInt(whole + fraction.slice(0, 2).padEnd(2, "0"));
  const cents = hundredths + (fraction.charAt(2) >= "5" ? 1n : 0n);
  return exactCents(sign === "-" ? -cents : cents);
}

function costOf({
  unitCost,
}: VariantNode["inventoryItem"]): Pick<VariantRecord, "unitCostCents" | "currency"> {
  if (!unitCost) return { unitCostCents: null, currency: null };
  return { unitCostCents: expected(() => centsOf(unitCost.amount)), currency: unitCost.currencyCode };
}

function stockOf({
  inventoryLevel,
}: VariantNode["inventoryItem"]): Pick<VariantRecord, "stocked" | "onHand" | "available" | "levelUpdatedAt"> {
  if (!inventoryLevel?.isActive) return { stocked: false, onHand: 0, available: 0, levelUpdatedAt: null };
  const { quantities } = inventoryLevel;
  return {
    stocked: true,
    onHand: quantityNamed("on_hand", quantities),
    available: quantityNamed("available", quantities),
    levelUpdatedAt: inventoryLevel.updatedAt,
  };
}

function expected<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw new PlatformRejectedError("unexpected-answer", error.message);
    throw error;
  }
}
