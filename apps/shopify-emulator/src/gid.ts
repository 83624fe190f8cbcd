const GID = /^gid:\/\/shopify\/([A-Za-z]+)\/([0-9]+)(\?.*)?$/;

/**
 * Numbers of inventory items lie above 2^53, as the platform's may: a client that reads one as a
 * JavaScript number gets a wrong id and is found out.
 */
const FIRST_ITEM = 9_107_199_254_740_993n;

const FIRST = { Product: 8_210_000_000_000, ProductVariant: 44_310_000_000_000, Location: 70_410_000_000 };

export function gid(type: string, digits: string | number | bigint): string {
  return `gid://shopify/${type}/${digits}`;
}

export const locationGid = (sequence: number) => gid("Location", FIRST.Location + sequence);
export const productGid = (sequence: number) => gid("Product", FIRST.Product + sequence);
export const variantGid = (sequence: number) => gid("ProductVariant", FIRST.ProductVariant + sequence);
export const itemGid = (sequence: number) => gid("InventoryItem", FIRST_ITEM + BigInt(sequence));

/** The type and the digits of a global id, or null for text that is none. */
export function readGid(text: string): { type: string; digits: string } | null {
  const [, type, digits] = GID.exec(text) ?? [];
  return type === undefined || digits === undefined ? null : { type, digits };
}

export function gidDigits(text: string): string {
  return readGid(text)?.digits ?? "";
}

/** The platform numbers a level after its location and tells items apart in the query string. */
export function levelGid(itemId: string, locationId: string): string {
  return `${gid("InventoryLevel", gidDigits(locationId))}?inventory_item_id=${gidDigits(itemId)}`;
}
