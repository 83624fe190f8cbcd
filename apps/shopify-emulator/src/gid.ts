const GID = /^gid:\/\/shopify\/([A-Za-z]+)\/([0-9]+)(\?.*)?$/;

export function gid(type: string, digits: string | number | bigint): string {
  return `gid://shopify/${type}/${digits}`;
}

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
