import { z } from "zod";
import type { Clock } from "../kernel/clock.ts";
import {
  type ActivateRequest,
  type AdjustmentGroup,
  type AdjustOutcome,
  type AdjustRequest,
  activateLevel,
  adjustAvailable,
  readAdjustmentGroup,
} from "./adjustments.ts";
import { type BulkTimeouts, defaultBulkTimeouts } from "./bulk.ts";
import { type ChangedLevel, readChangedLevels } from "./changed-levels.ts";
import type { CostBudget } from "./cost-bucket.ts";
import { locationsQuery, scopesQuery, shopQuery } from "./documents.ts";
import type { DateHeard } from "./http-exchange.ts";
import { type LiveLevel, readLiveLevels } from "./levels.ts";
import { pageSchema, pagesOf } from "./pages.ts";
import { readSnapshot, type SnapshotOptions } from "./snapshot.ts";
import { type BeforeSend, type RetryLimits, type ShopifyTransport, withRetryLimits } from "./transport.ts";
import type { VariantRecord } from "./variants.ts";

export interface Shop {
  /** gid://shopify/Shop/… */
  id: string;
  name: string;
  /** The shop's .myshopify.com domain. */
  domain: string;
  /** ISO 4217. */
  currency: string;
}

/** An active location of the shop. */
export interface ShopifyLocation {
  /** gid://shopify/Location/… */
  id: string;
  name: string;
  /** Stock there is kept by another company. */
  isFulfillmentService: boolean;
}

/**
 * The shop as the rest of the server sees it. Everything but adjustAvailable throws a
 * PlatformUnavailableError or a PlatformRejectedError, or the reason of the signal it was given.
 */
export interface ShopifyPlatform {
  shop(signal?: AbortSignal, retryLimits?: RetryLimits): Promise<Shop>;
  /** What the shop has granted this app, such as read_products. */
  grantedScopes(signal?: AbortSignal): Promise<string[]>;
  shopifyLocations(signal?: AbortSignal): Promise<ShopifyLocation[]>;
  /** All variants in batches; see readSnapshot. */
  snapshot(options: SnapshotOptions): AsyncIterable<VariantRecord[]>;
  /** For every id its level now, null for an item that no longer exists. Any number of ids. */
  liveLevels(
    shopifyLocationId: string,
    inventoryItemIds: readonly string[],
    signal?: AbortSignal,
    retryLimits?: RetryLimits,
  ): Promise<Map<string, LiveLevel | null>>;
  /** Stocks an item at a location, without a quantity; resolves to why the platform refuses it, or to null. */
  activate(request: ActivateRequest, signal?: AbortSignal, retryLimits?: RetryLimits): Promise<string | null>;
  /**
   * Sends an adjustment once and says what came of it; see AdjustOutcome. It may wait for long before it is sent:
   * `beforeSend` is awaited right before, and may withhold it by throwing.
   */
  adjustAvailable(request: AdjustRequest, beforeSend: BeforeSend): Promise<AdjustOutcome>;
  adjustmentGroup(
    groupId: string,
    signal?: AbortSignal,
    retryLimits?: RetryLimits,
  ): Promise<AdjustmentGroup | null>;
  /** Tells the listener of Shopify's own clock with every answer. */
  listenToDates(listener: (heard: DateHeard) => void): void;
  /** The points that calls cost, as far as Shopify has told. */
  budget(): CostBudget;
  /** What changed at a location since a moment, in batches; see readChangedLevels. */
  changedLevels(shopifyLocationId: string, since: Date, signal?: AbortSignal): AsyncIterable<ChangedLevel[]>;
}

export interface ShopifyPlatformOptions {
  transport: ShopifyTransport;
  clock: Clock;
  /** Catalogues of more variants, and changes of more levels, than this are read by a bulk operation; 2,000 unless told. */
  bulkAbove?: number;
  timeouts?: BulkTimeouts;
}

export function createShopifyPlatform(options: ShopifyPlatformOptions): ShopifyPlatform {
  const { transport, clock, bulkAbove = 2000, timeouts = defaultBulkTimeouts } = options;
  const source = { transport, clock, bulkAbove, timeouts };
  return {
    shop: (signal, retryLimits) => readShop(withRetryLimits(transport, retryLimits), signal),
    grantedScopes: (signal) => readGrantedScopes(transport, signal),
    shopifyLocations: (signal) => readShopifyLocations(transport, signal),
    snapshot: (wanted) => readSnapshot(source, wanted),
    liveLevels: (location, items, signal, retryLimits) =>
      readLiveLevels(withRetryLimits(transport, retryLimits), location, items, signal),
    activate: (request, signal, retryLimits) =>
      activateLevel(withRetryLimits(transport, retryLimits), request, signal),
    adjustAvailable: (request, beforeSend) => adjustAvailable(transport, request, beforeSend),
    adjustmentGroup: (groupId, signal, retryLimits) =>
      readAdjustmentGroup(withRetryLimits(transport, retryLimits), groupId, signal),
    listenToDates: (listener) => transport.listenToDates(listener),
    budget: () => transport.budget(),
    changedLevels: (location, since, signal) => readChangedLevels(source, location, since, signal),
  };
}

const shopAnswerSchema = z.object({
  shop: z.object({ id: z.string(), name: z.string(), myshopifyDomain: z.string(), currencyCode: z.string() }),
});

async function readShop(transport: ShopifyTransport, signal: AbortSignal | undefined): Promise<Shop> {
  const { shop } = await transport.read({
    document: shopQuery,
    variables: {},
    answer: shopAnswerSchema,
    signal,
  });
  return { id: shop.id, name: shop.name, domain: shop.myshopifyDomain, currency: shop.currencyCode };
}

const scopesAnswerSchema = z.object({
  currentAppInstallation: z.object({ accessScopes: z.array(z.object({ handle: z.string() })) }),
});

async function readGrantedScopes(
  transport: ShopifyTransport,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const request = { document: scopesQuery, variables: {}, answer: scopesAnswerSchema, signal };
  const { currentAppInstallation } = await transport.read(request);
  return currentAppInstallation.accessScopes.map(({ handle }) => handle);
}

const locationSchema = z.object({
  id: z.string(),
  name: z.string(),
  isActive: z.boolean(),
  isFulfillmentService: z.boolean(),
});

const locationsAnswerSchema = z.object({ locations: pageSchema(locationSchema) });

async function readShopifyLocations(
  transport: ShopifyTransport,
  signal: AbortSignal | undefined,
): Promise<ShopifyLocation[]> {
  const locations: ShopifyLocation[] = [];
  const pages = pagesOf(async (first, after) => {
    const request = {
      document: locationsQuery,
      variables: { first, after },
      answer: locationsAnswerSchema,
      signal,
    };
    return (await transport.read(request)).locations;
  });
  for await (const nodes of pages) {
    const active = nodes.filter((location) => location.isActive);
    locations.push(
      ...active.map(({ id, name, isFulfillmentService }) => ({ id, name, isFulfillmentService })),
    );
  }
  return locations;
}
