import type { Generated } from "kysely";
import type { NullableTime } from "./columns.ts";

interface ItemColumns {
  sku: string;
  plainSku: string | null;
  inventoryItemId: string;
  variantNumber: string;
  barcode: string | null;
  productTitle: string;
  size: string | null;
  image: string | null;
  tracked: boolean;
  bundle: boolean;
  unitCostCents: number | null;
}

interface CatalogueItemsTable extends ItemColumns {}

interface PacksTable {
  codeKey: string;
  code: string;
  sku: string;
  units: number;
  changedAt: Generated<Date>;
  changedBy: string;
}

interface SessionItemsTable extends ItemColumns {
  sessionId: string;
  /** The brand, "" where Shopify has none; likewise the type. Sessions that began before these were read have none. */
  vendor: Generated<string>;
  productType: Generated<string>;
  startOnHand: number;
  endOnHand: number | null;
  stocked: boolean;
  gone: Generated<boolean>;
  startLevelUpdatedAt: NullableTime;
  startAvailable: number | null;
  endLevelUpdatedAt: NullableTime;
}

interface StockReadingsTable {
  sessionId: string;
  sku: string;
  readAt: Date;
  onHand: number;
  levelUpdatedAt: NullableTime;
  available: number | null;
  touched: Generated<boolean>;
}

interface MovedCodesTable {
  sessionId: string;
  sku: string;
  toSku: string;
}

interface StockGapsTable {
  sessionId: string;
  beganAt: Date;
  endedAt: Date;
}

export interface ProductTables {
  catalogueItems: CatalogueItemsTable;
  packs: PacksTable;
  sessionItems: SessionItemsTable;
  stockReadings: StockReadingsTable;
  stockGaps: StockGapsTable;
  movedCodes: MovedCodesTable;
}
