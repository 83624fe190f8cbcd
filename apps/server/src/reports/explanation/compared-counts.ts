import type { ExplainedComparison } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../../database/pool.ts";
import {
  type ComparedRow,
  comparedColumns,
  comparedTables,
  isOfPresentCount,
  presentCompared,
} from "../../passes/passes.ts";
import type { SkuOfSession } from "./scan-queries.ts";

/** What second counts came to for a SKU, those of passes that an area has left behind too. */
export async function readCompared(
  reader: Database,
  { sessionId, sku }: SkuOfSession,
): Promise<ExplainedComparison[]> {
  const { rows } = await sql<ComparedRow & { readonly isOfPresentCount: boolean }>`
    select ${comparedColumns}, ${isOfPresentCount} as is_of_present_count from ${comparedTables}
    where compared.session_id = ${sessionId} and compared.sku = ${sku}
    order by area.code, compared.area_id, compared.of_pass`.execute(reader);
  return rows.map(presentCompared);
}
