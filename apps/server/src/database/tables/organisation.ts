import type { Generated } from "kysely";
import type { Created, NullableTime } from "./columns.ts";

export interface InstallationTable {
  only_row: Generated<boolean>;
  shop_domain: string | null;
  shop_name: string | null;
  currency: string | null;
  catalogue_version: Generated<number>;
  catalogue_read_at: NullableTime;
  created_at: Created;
}

export interface StoresTable {
  id: Generated<string>;
  name: string;
  shopify_location_id: string;
  is_active: Generated<boolean>;
  created_at: Created;
  deleted_at: NullableTime;
}

export interface LocationsTable {
  id: Generated<string>;
  store_id: string;
  name: string;
  created_at: Created;
  deleted_at: NullableTime;
}

export interface AreasTable {
  id: Generated<string>;
  location_id: string;
  store_id: string;
  code: string;
  name: string;
  status: Generated<"not_started" | "in_progress" | "closed">;
  pass: Generated<number>;
  closed_by: string | null;
  closed_at: NullableTime;
  created_at: Created;
  deleted_at: NullableTime;
}
