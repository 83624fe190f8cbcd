import type { ProductIndex } from "@stocktake/contract";

/** A product as the server matches it; sizes and titles go into answers. */
export interface SessionProduct {
  readonly sku: string;
  readonly plainSku?: string;
  readonly barcode: string | null;
  readonly productTitle: string;
  readonly size: string | null;
}

/** What a session's scans are matched against, as of a version of its catalogue. */
export interface SessionIndex {
  readonly version: number;
  readonly index: ProductIndex<SessionProduct>;
}

/** A store's product map, ready to send: the JSON of {products, packs, etag}, compressed, and its quoted ETag. */
export interface PreparedMap {
  readonly etag: string;
  readonly gzip: Buffer;
}

/**
 * The shop's products. Read from Shopify at start-up, at session start and hourly; while a session is active its own
 * catalogue (session_items) only grows, so that devices and server match alike.
 */
export interface Catalogue {
  /** Reads the shop's catalogue anew and lets running sessions grow by what is new. Throws a platform error. */
  refresh(signal?: AbortSignal): Promise<void>;
  /**
   * As `refresh`, by a reading that begins from now on: one that is under way may have passed the place of what has just
   * changed, or be an export that was made before.
   */
  refreshFromNow(signal?: AbortSignal): Promise<void>;
  /** The index of a session, at least at `version` (sessions.catalogue_version); kept in memory. */
  sessionIndex(sessionId: string, version: number): Promise<SessionIndex>;
  /** Lets go of the index of a session that has ended. */
  forgetSession(sessionId: string): void;
  /** The products for devices counting in a store: its running session's catalogue, else the shop's. */
  map(storeId: string): Promise<PreparedMap>;
}

/** sessions.catalogue_version as sessions begin; what comes into the shop while one counts raises it. */
export const firstCatalogueVersion = 1;
