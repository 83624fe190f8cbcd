import type { Generated } from "kysely";
import type { Created, NullableTime } from "./columns.ts";

interface InstallationTable {
  onlyRow: Generated<boolean>;
  shopDomain: string | null;
  shopName: string | null;
  currency: string | null;
  catalogueVersion: Generated<number>;
  catalogueReadAt: NullableTime;
  epoch: Generated<string>;
  restoredAt: NullableTime;
  backupMadeAt: NullableTime;
  createdAt: Created;
}

interface StoresTable {
  id: Generated<string>;
  name: string;
  shopifyLocationId: string;
  isActive: Generated<boolean>;
  createdAt: Created;
  deletedAt: NullableTime;
}

interface LocationsTable {
  id: Generated<string>;
  storeId: string;
  name: string;
  createdAt: Created;
  deletedAt: NullableTime;
}

export interface AreasTable {
  id: Generated<string>;
  locationId: string;
  storeId: string;
  code: string;
  name: string;
  status: Generated<"not_started" | "in_progress" | "closed">;
  pass: Generated<number>;
  closedBy: string | null;
  closedAt: NullableTime;
  createdAt: Created;
  deletedAt: NullableTime;
}

export interface OrganisationTables {
  installation: InstallationTable;
  stores: StoresTable;
  locations: LocationsTable;
  areas: AreasTable;
}
