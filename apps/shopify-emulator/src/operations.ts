/**
 * The operations that this stand-in serves besides the server's own: what its tests and the measuring
 * programs send. The schema subset is cut from these and from the server's documents together.
 */
export const OPERATIONS = {
  shop: "query Shop { shop { id name myshopifyDomain currencyCode } }",

  locations: `query Locations($first: Int, $after: String, $includeInactive: Boolean) {
  locations(first: $first, after: $after, includeInactive: $includeInactive) {
    nodes { id name isActive isFulfillmentService }
    edges { cursor node { id } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`,

  variants: `query Variants($first: Int, $after: String, $last: Int, $before: String, $query: String, $locationId: ID!) {
  productVariants(first: $first, after: $after, last: $last, before: $before, query: $query) {
    nodes {
      id title sku barcode displayName requiresComponents
      selectedOptions { name value }
      product { id title vendor productType status featuredMedia { id preview { image { url } } } }
      inventoryItem {
        id tracked sku unitCost { amount currencyCode }
        inventoryLevel(locationId: $locationId) {
          id isActive updatedAt
          quantities(names: ["on_hand", "available", "committed", "reserved", "damaged", "quality_control", "safety_stock", "incoming"]) { id name quantity updatedAt }
        }
      }
    }
    edges { cursor node { id } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`,

  variantsCount:
    "query VariantsCount($limit: Int) { productVariantsCount(limit: $limit) { count precision } }",

  runBulk: `mutation RunBulk($query: String!) {
  bulkOperationRunQuery(query: $query) { bulkOperation { id status } userErrors { field message code } }
}`,

  bulk: `query Bulk($id: ID!) {
  bulkOperation(id: $id) {
    id status errorCode type query createdAt completedAt objectCount rootObjectCount fileSize url partialDataUrl
  }
}`,

  currentBulk: "query CurrentBulk { currentBulkOperation { id status } }",

  cancelBulk: `mutation CancelBulk($id: ID!) {
  bulkOperationCancel(id: $id) { bulkOperation { id status } userErrors { field message } }
}`,

  /** For bulkOperationRunQuery: a connection inside a connection, whose rows carry `__parentId`. */
  nestedBulk: `{ locations { edges { node { id name
  inventoryLevels { edges { node { id quantities(names: ["available"]) { quantity } } } } } } } }`,

  items: `query Items($ids: [ID!]!, $locationId: ID!) {
  nodes(ids: $ids) {
    id
    ... on InventoryItem {
      tracked
      inventoryLevel(locationId: $locationId, includeInactive: true) {
        id isActive quantities(names: ["on_hand", "available", "committed"]) { name quantity }
      }
    }
    ... on ProductVariant { sku }
    ... on Product { title }
  }
}`,

  levels: `query Levels($locationId: ID!, $first: Int, $after: String, $query: String, $includeInactive: Boolean) {
  location(id: $locationId) {
    id name
    inventoryLevels(first: $first, after: $after, query: $query, includeInactive: $includeInactive) {
      nodes { id isActive updatedAt item { id } location { id } quantities(names: ["available"]) { quantity } }
      pageInfo { hasNextPage endCursor }
    }
  }
}`,

  adjust: `mutation Adjust($input: InventoryAdjustQuantitiesInput!, $key: String!) {
  inventoryAdjustQuantities(input: $input) @idempotent(key: $key) {
    inventoryAdjustmentGroup {
      id createdAt reason referenceDocumentUri app { id title }
      changes { name delta quantityAfterChange ledgerDocumentUri item { id } location { id } }
    }
    userErrors { code field message }
  }
}`,

  adjustWithoutKey: `mutation Adjust($input: InventoryAdjustQuantitiesInput!) {
  inventoryAdjustQuantities(input: $input) { userErrors { code field message } }
}`,

  activate: `mutation Activate($item: ID!, $location: ID!, $available: Int, $onHand: Int, $key: String!) {
  inventoryActivate(inventoryItemId: $item, locationId: $location, available: $available, onHand: $onHand) @idempotent(key: $key) {
    inventoryLevel { isActive quantities(names: ["available", "on_hand"]) { name quantity } }
    userErrors { field message }
  }
}`,

  activateWithoutKey: `mutation Activate($item: ID!, $location: ID!) {
  inventoryActivate(inventoryItemId: $item, locationId: $location) { userErrors { field message } }
}`,

  group: `query Group($id: ID!, $names: [String!]) {
  node(id: $id) {
    ... on InventoryAdjustmentGroup {
      id createdAt reason referenceDocumentUri
      changes(quantityNames: $names) { name delta item { id } location { id } }
    }
  }
}`,
} as const;
