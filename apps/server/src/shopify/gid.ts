/** What a global id of the platform names. */
export type GidType =
  | "Location"
  | "InventoryItem"
  | "ProductVariant"
  | "Product"
  | "InventoryAdjustmentGroup";

const gidPattern = /^gid:\/\/shopify\/([A-Za-z]+)\/([0-9]{1,20})$/;

/**
 * The digits of a global id such as gid://shopify/ProductVariant/51134428152114, kept as text because
 * they pass 2^53. Throws a RangeError for anything else: an id is put into a query's text, so nothing
 * but letters and digits may pass.
 */
export function gidNumber(type: GidType, gid: string): string {
  const [, found, digits] = gidPattern.exec(gid) ?? [];
  if (found !== type || digits === undefined) {
    throw new RangeError(`${JSON.stringify(gid)} is not the id of a Shopify ${type}.`);
  }
  return digits;
}

/** The global id of a thing known by its digits. */
export function gidOf(type: GidType, digits: string): string {
  return `gid://shopify/${type}/${digits}`;
}
