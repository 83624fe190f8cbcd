import type { AccountTables } from "./tables/accounts.ts";
import type { AdjustmentTables } from "./tables/adjustments.ts";
import type { AuditTables } from "./tables/audit.ts";
import type { CountingTables } from "./tables/counting.ts";
import type { OrganisationTables } from "./tables/organisation.ts";
import type { ProductTables } from "./tables/products.ts";

export type * from "./tables/accounts.ts";
export type * from "./tables/adjustments.ts";
export type * from "./tables/audit.ts";
export type * from "./tables/counting.ts";
export type * from "./tables/organisation.ts";
export type * from "./tables/products.ts";

/** Every table of the migrations, as Kysely sees it. */
export interface Tables
  extends AccountTables,
    AdjustmentTables,
    AuditTables,
    CountingTables,
    OrganisationTables,
    ProductTables {}
