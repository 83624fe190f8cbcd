import { gidNumber } from "./gid.ts";

/** The version of the Admin API that every document here is written for. */
export const SHOPIFY_API_VERSION = "2026-10";

/** Rows in one page, ids in one read and rows in one adjustment: the platform's limit for all three. */
export const ROWS_PER_CALL = 250;

export const SHOP = `query Shop {
  shop { id name myshopifyDomain currencyCode }
}`;

export const LOCATIONS = `query Locations($first: Int!, $after: String) {
  locations(first: $first, after: $after, includeInactive: false) {
    nodes { id name isActive isFulfillmentService }
    pageInfo { hasNextPage endCursor }
  }
}`;

/** `limit: null` counts to the end; by default the platform stops at 10,000. */
export const VARIANTS_COUNT = `query VariantsCount {
  productVariantsCount(limit: null) { count precision }
}`;

// ProductVariant.image is deprecated, and a media connection inside the variant would be a second
// connection in the bulk query: the product's featured image stands for all its variants.
const VARIANT_FIELDS = `id title sku barcode requiresComponents
      selectedOptions { name value }
      product { id title status featuredMedia { preview { image { url } } } }`;

const ITEM_FIELDS = "id tracked unitCost { amount currencyCode }";

const LEVEL_FIELDS = `isActive quantities(names: ["on_hand", "available"]) { name quantity }`;

export const VARIANTS_PAGE = `query VariantsPage($first: Int!, $after: String, $shopifyLocationId: ID!) {
  productVariants(first: $first, after: $after) {
    nodes {
      ${VARIANT_FIELDS}
      inventoryItem { ${ITEM_FIELDS} inventoryLevel(locationId: $shopifyLocationId) { ${LEVEL_FIELDS} } }
    }
    pageInfo { hasNextPage endCursor }
  }
}`;

export const CATALOGUE_PAGE = `query CataloguePage($first: Int!, $after: String) {
  productVariants(first: $first, after: $after) {
    nodes {
      ${VARIANT_FIELDS}
      inventoryItem { ${ITEM_FIELDS} }
    }
    pageInfo { hasNextPage endCursor }
  }
}`;

export const BULK_CATALOGUE = `query BulkCatalogue {
  productVariants { edges { node {
      ${VARIANT_FIELDS}
      inventoryItem { ${ITEM_FIELDS} }
  } } }
}`;

/**
 * The query handed to a bulk operation: every variant with its level at one location. Bulk queries take
 * no variables, so the id stands in the text; a RangeError refuses anything that is not a location's id.
 */
export function bulkSnapshot(shopifyLocationId: string): string {
  gidNumber("Location", shopifyLocationId);
  return `query BulkSnapshot {
  productVariants { edges { node {
      ${VARIANT_FIELDS}
      inventoryItem { ${ITEM_FIELDS} inventoryLevel(locationId: "${shopifyLocationId}") { ${LEVEL_FIELDS} } }
  } } }
}`;
}

export const RUN_BULK = `mutation RunBulk($query: String!) {
  bulkOperationRunQuery(query: $query) {
    bulkOperation { id status }
    userErrors { field message code }
  }
}`;

export const POLL_BULK = `query PollBulk($id: ID!) {
  bulkOperation(id: $id) { id status errorCode objectCount fileSize url }
}`;

export const LIVE_LEVELS = `query LiveLevels($ids: [ID!]!, $shopifyLocationId: ID!) {
  nodes(ids: $ids) {
    ... on InventoryItem {
      id tracked
      inventoryLevel(locationId: $shopifyLocationId) {
        isActive quantities(names: ["on_hand", "available", "committed"]) { name quantity updatedAt }
      }
    }
  }
}`;

/** Inactive levels are asked for too: an item that is no longer stocked has changed as well. */
export const CHANGED_LEVELS = `query ChangedLevels($shopifyLocationId: ID!, $first: Int!, $after: String, $search: String!) {
  location(id: $shopifyLocationId) {
    inventoryLevels(first: $first, after: $after, query: $search, includeInactive: true) {
      nodes {
        isActive updatedAt item { id tracked }
        quantities(names: ["on_hand", "available", "committed"]) { name quantity updatedAt }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

/**
 * staffMember is left out (an app may not read it), quantityAfterChange too (null in every recorded
 * answer).
 */
export const ADJUST_QUANTITIES = `mutation AdjustQuantities($input: InventoryAdjustQuantitiesInput!, $idempotencyKey: String!) {
  inventoryAdjustQuantities(input: $input) @idempotent(key: $idempotencyKey) {
    inventoryAdjustmentGroup {
      id createdAt reason referenceDocumentUri
      changes { name delta item { id } location { id } }
    }
    userErrors { code field message }
  }
}`;

export const ADJUSTMENT_GROUP = `query AdjustmentGroup($id: ID!) {
  node(id: $id) {
    ... on InventoryAdjustmentGroup {
      id createdAt reason referenceDocumentUri
      changes { name delta item { id } location { id } }
    }
  }
}`;

/** Every text this server ever sends, by name: the schema subset is cut from it and checks it. */
export const DOCUMENTS: Readonly<Record<string, string>> = {
  SHOP,
  LOCATIONS,
  VARIANTS_COUNT,
  VARIANTS_PAGE,
  CATALOGUE_PAGE,
  BULK_CATALOGUE,
  BULK_SNAPSHOT: bulkSnapshot("gid://shopify/Location/1"),
  RUN_BULK,
  POLL_BULK,
  LIVE_LEVELS,
  CHANGED_LEVELS,
  ADJUST_QUANTITIES,
  ADJUSTMENT_GROUP,
};
