import type { ReportSummary, ReportView } from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { SessionRow } from "../sessions/sessions.ts";
import { countedStock, mayVary, type Skus } from "./counted-stock-queries.ts";

/** A report in brief. */
export interface ReportOverview {
  /** Speaks of every SKU in scope, whatever the view. */
  readonly summary: ReportSummary;
  /** The SKUs that the view may show, in no order; null: all in scope. */
  readonly skus: Skus;
}

interface OverviewRow {
  readonly totalItems: number;
  readonly shortages: number;
  readonly overages: number;
  readonly matches: number;
  readonly costCents: number;
  readonly withoutCost: number;
  readonly notCountedItems: number;
  readonly notCountedUnits: number;
  readonly notCountedCents: number;
  readonly varying: string[];
}

/**
 * Sums up a report where its rows lie: what a summary of every SKU needs of them is not worth sending here. The sums are
 * those of the contract's `varianceOf` and `costImpactCents`, unknown costs left out.
 */
export async function readOverview(
  reader: Database,
  session: SessionRow,
  view: ReportView,
): Promise<ReportOverview> {
  const { rows } = await sql<OverviewRow>`
    with ${countedStock(session, null)}, costed as (
      select stock.*, stock.variance::bigint * stock.unit_cost_cents as cost_cents,
        not stock.has_count and stock.end_on_hand <> 0 as not_counted
      from stock
    )
    select count(*) as "totalItems",
      count(*) filter (where variance < 0) as shortages,
      count(*) filter (where variance > 0) as overages,
      count(*) filter (where variance = 0) as matches,
      coalesce(sum(cost_cents), 0)::double precision as "costCents",
      count(*) filter (where unit_cost_cents is null) as "withoutCost",
      count(*) filter (where not_counted) as "notCountedItems",
      coalesce(sum(end_on_hand) filter (where not_counted), 0)::double precision as "notCountedUnits",
      coalesce(sum(cost_cents) filter (where not_counted), 0)::double precision as "notCountedCents",
      coalesce(array_agg(sku) filter (where ${view === "variances"} and ${mayVary(session)}), '{}') as varying
    from costed stock`.execute(reader);
  const [row] = rows;
  if (row === undefined) throw new Error("The sums of a report came without a row.");
  return { summary: presentSummary(row, session.currency), skus: view === "all" ? null : row.varying };
}

function presentSummary(row: OverviewRow, currency: string): ReportSummary {
  return {
    totalItems: row.totalItems,
    shortages: row.shortages,
    overages: row.overages,
    matches: row.matches,
    totalCostImpact: row.costCents / 100,
    withoutCost: row.withoutCost,
    currency,
    notCounted: {
      items: row.notCountedItems,
      units: row.notCountedUnits,
      cost: row.notCountedCents / 100,
    },
  };
}
