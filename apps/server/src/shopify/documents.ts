import { gidNumber } from "./gid.ts";

/** The version of the Admin API that every document here is written for. */
export const shopifyApiVersion = "2026-10";

/** What the app has to be granted, and nothing more. */
export const neededScopes = ["read_products", "read_inventory", "write_inventory", "read_locations"] as const;

/** Rows in one page, ids in one read and rows in one adjustment: the platform's limit for all three. */
export const rowsPerCall = 250;

export const shopQuery = `query Shop {
  shop { id name myshopifyDomain currencyCode }
}`;

/** What the shop has granted this app, which may be less than the app asks for by now. */
export const scopesQuery = `query GrantedScopes {
  currentAppInstallation { accessScopes { handle } }
}`;

export const locationsQuery = `query Locations($first: Int!, $after: String) {
  locations(first: $first, after: $after, includeInactive: false) {
    nodes { id name isActive isFulfillmentService }
    pageInfo { hasNextPage endCursor }
  }
}`;

/** `limit: null` counts to the end; by default the platform stops at 10,000. */
export const variantsCountQuery = `query VariantsCount {
  productVariantsCount(limit: null) { count precision }
}`;

// ProductVariant.image is deprecated, and a media connection inside the variant would be a second
// connection in the bulk query: the product's featured image serves for all its variants.
const variantFields = `id title sku barcode requiresComponents
      selectedOptions { name value }
      product { id title vendor productType status featuredMedia { preview { image { url } } } }`;

const itemFields = "id tracked unitCost { amount currencyCode }";

const levelFields = `isActive updatedAt quantities(names: ["on_hand", "available"]) { name quantity }`;

export const variantsPageQuery = `query VariantsPage($first: Int!, $after: String, $shopifyLocationId: ID!) {
  productVariants(first: $first, after: $after) {
    nodes {
      ${variantFields}
      inventoryItem { ${itemFields} inventoryLevel(locationId: $shopifyLocationId) { ${levelFields} } }
    }
    pageInfo { hasNextPage endCursor }
  }
}`;

export const cataloguePageQuery = `query CataloguePage($first: Int!, $after: String) {
  productVariants(first: $first, after: $after) {
    nodes {
      ${variantFields}
      inventoryItem { ${itemFields} }
    }
    pageInfo { hasNextPage endCursor }
  }
}`;

export const bulkCatalogueQuery = `query BulkCatalogue {
  productVariants { edges { node {
      ${variantFields}
      inventoryItem { ${itemFields} }
  } } }
}`;

/**
 * The query handed to a bulk operation: every variant with its level at one location. Bulk queries take
 * no variables, so the id is part of the text; a RangeError refuses anything that is not a location's id.
 */
export function bulkSnapshot(shopifyLocationId: string): string {
  gidNumber("Location", shopifyLocationId);
  return `query BulkSnapshot {
  productVariants { edges { node {
      ${variantFields}
      inventoryItem { ${itemFields} inventoryLevel(locationId: "${shopifyLocationId}") { ${levelFields} } }
  } } }
}`;
}

const liveLevelFields = `isActive updatedAt
        quantities(names: ["on_hand", "available", "committed"]) { name quantity updatedAt }`;

/** The query handed to a bulk operation: every variant's level at one location, inactive ones too. Throws as bulkSnapshot. */
export function bulkLevels(shopifyLocationId: string): string {
  gidNumber("Location", shopifyLocationId);
  return `query BulkLevels {
  productVariants { edges { node {
      inventoryItem {
        id tracked
        inventoryLevel(locationId: "${shopifyLocationId}", includeInactive: true) { ${liveLevelFields} }
      }
  } } }
}`;
}

export const runBulkMutation = `mutation RunBulk($query: String!) {
  bulkOperationRunQuery(query: $query) {
    bulkOperation { id status }
    userErrors { field message code }
  }
}`;

export const pollBulkQuery = `query PollBulk($id: ID!) {
  bulkOperation(id: $id) { id status errorCode objectCount fileSize url }
}`;

/** An inactive level keeps its quantities and can be adjusted like an active one. */
export const liveLevelsQuery = `query LiveLevels($ids: [ID!]!, $shopifyLocationId: ID!) {
  nodes(ids: $ids) {
    ... on InventoryItem {
      id tracked
      inventoryLevel(locationId: $shopifyLocationId, includeInactive: true) { ${liveLevelFields} }
    }
  }
}`;

/** Inactive levels are asked for too: an item that is no longer stocked has changed as well. */
export const changedLevelsQuery = `query ChangedLevels($shopifyLocationId: ID!, $first: Int!, $after: String, $search: String!) {
  location(id: $shopifyLocationId) {
    inventoryLevels(first: $first, after: $after, query: $search, includeInactive: true) {
      nodes {
        item { id tracked } ${liveLevelFields}
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

/**
 * staffMember is left out (an app may not read it), quantityAfterChange too (null in every recorded
 * answer).
 */
export const adjustQuantitiesMutation = `mutation AdjustQuantities($input: InventoryAdjustQuantitiesInput!, $idempotencyKey: String!) {
  inventoryAdjustQuantities(input: $input) @idempotent(key: $idempotencyKey) {
    inventoryAdjustmentGroup {
      id createdAt reason referenceDocumentUri
      changes { name delta item { id } location { id } }
    }
    userErrors { code field message }
  }
}`;

/** Without a quantity: the level keeps what it had, or begins at zero. */
export const activateMutation = `mutation StockItem($inventoryItemId: ID!, $shopifyLocationId: ID!, $idempotencyKey: String!) {
  inventoryActivate(inventoryItemId: $inventoryItemId, locationId: $shopifyLocationId) @idempotent(key: $idempotencyKey) {
    inventoryLevel { isActive }
    userErrors { field message }
  }
}`;

export const adjustmentGroupQuery = `query AdjustmentGroup($id: ID!) {
  node(id: $id) {
    ... on InventoryAdjustmentGroup {
      id createdAt reason referenceDocumentUri
      changes { name delta item { id } location { id } }
    }
  }
}`;

/** Every text this server ever sends, by name: the schema subset is cut from it and checks it. */
export const documents: Readonly<Record<string, string>> = {
  shopQuery,
  scopesQuery,
  locationsQuery,
  variantsCountQuery,
  variantsPageQuery,
  cataloguePageQuery,
  bulkCatalogueQuery,
  BULK_SNAPSHOT: bulkSnapshot("gid://shopify/Location/1"),
  BULK_LEVELS: bulkLevels("gid://shopify/Location/1"),
  runBulkMutation,
  pollBulkQuery,
  liveLevelsQuery,
  changedLevelsQuery,
  adjustQuantitiesMutation,
  adjustmentGroupQuery,
  activateMutation,
};
