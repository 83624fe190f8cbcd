import type pg from "pg";
import type { Tallies } from "../kernel/tallies.ts";
import type { ShopifyPlatform } from "../shopify/shopify.ts";
import type { Metric } from "./exposition.ts";
import { counter, gauge } from "./process-metrics.ts";
import type { Shared } from "./queries.ts";

export type PoolCounts = Pick<pg.Pool, "totalCount" | "idleCount" | "waitingCount">;

/** What this process counts of its own work. */
export function talliedMetrics({ scans, webhooks, reports, eventStreams }: Tallies): Metric[] {
  const statuses = ["counted", "unresolved", "late", "voided"] as const;
  const outcomes = ["accepted", "refused"] as const;
  const sources = ["replica", "database"] as const;
  return [
    {
      name: "stocktake_scans_total",
      help: "Scans stored by this process, by what became of them; repeats are left out.",
      type: "counter",
      samples: statuses.map((status) => ({ labels: { status }, value: scans.of(status) })),
    },
    {
      name: "stocktake_webhooks_total",
      help: "Webhooks that came in.",
      type: "counter",
      samples: outcomes.map((outcome) => ({ labels: { outcome }, value: webhooks.of(outcome) })),
    },
    {
      name: "stocktake_reports_read_total",
      help: "Reports and files of sessions that were read, by where.",
      type: "counter",
      samples: sources.map((source) => ({ labels: { source }, value: reports.of(source) })),
    },
    gauge("stocktake_event_streams", "Pages that listen for what changes.", eventStreams),
  ];
}

export function poolMetrics({ totalCount, idleCount, waitingCount }: PoolCounts): Metric[] {
  return [
    {
      name: "stocktake_database_connections",
      help: "Connections to the database, by what they do.",
      type: "gauge",
      samples: [
        { labels: { state: "busy" }, value: totalCount - idleCount },
        { labels: { state: "idle" }, value: idleCount },
      ],
    },
    gauge("stocktake_database_waiting", "Work that waits for a connection to the database.", waitingCount),
  ];
}

export function shopifyMetrics(budget: ReturnType<ShopifyPlatform["budget"]>): Metric[] {
  return [
    counter("stocktake_shopify_cost_total", "Points that calls to Shopify have cost.", budget.spent),
    gauge("stocktake_shopify_cost_available", "Points that are left, by our estimate.", budget.available),
    gauge("stocktake_shopify_cost_maximum", "Points that the shop's bucket holds.", budget.maximum),
  ];
}

/** What the database holds, the same on every node; null where it can't be read. */
export function sharedMetrics(shared: Shared | null): Metric[] {
  const up = gauge("stocktake_database_up", "Whether the database can be read.", shared === null ? 0 : 1);
  if (shared === null) return [up];
  return [
    up,
    gauge("stocktake_sessions_active", "Stores that are being counted.", shared.activeSessions),
    gauge(
      "stocktake_device_queue_scans",
      "Scans, undos, resets and finishes that devices have not sent yet, as they last said.",
      shared.queued,
    ),
    gauge("stocktake_device_queue_devices", "Devices that hold such rows.", shared.devicesWithQueue),
    {
      name: "stocktake_adjustments_running",
      help: "Changes of Shopify's stock that are under way.",
      type: "gauge",
      samples: [
        { labels: { kind: "deploy" }, value: shared.deploysRunning },
        { labels: { kind: "rollback" }, value: shared.rollbacksRunning },
      ],
    },
    gauge("stocktake_deploys_partial", "Deploys that wait for an administrator.", shared.deploysPartial),
    gauge(
      "stocktake_rollbacks_partial",
      "Rollbacks that wait for an administrator.",
      shared.rollbacksPartial,
    ),
    ...(shared.catalogueAge === null
      ? []
      : [gauge("stocktake_catalogue_age_seconds", "Since the products were read.", shared.catalogueAge)]),
  ];
}
