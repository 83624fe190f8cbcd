import type { Generated } from "kysely";

interface ItemColumns {
  sku: string;
  plain_sku: string | null;
  inventory_item_id: string;
  variant_number: string;
  barcode: string | null;
  product_title: string;
  size: string | null;
  image: string | null;
  tracked: boolean;
  bundle: boolean;
  unit_cost_cents: number | null;
}

export interface CatalogueItemsTable extends ItemColumns {}

export interface SessionItemsTable extends ItemColumns {
  session_id: string;
  start_on_hand: number;
  end_on_hand: number | null;
  stocked: boolean;
  gone: Generated<boolean>;
}

export interface StockReadingsTable {
  session_id: string;
  sku: string;
  read_at: Date;
  on_hand: number;
}
