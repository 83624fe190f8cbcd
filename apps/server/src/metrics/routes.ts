import { createHash, timingSafeEqual } from "node:crypto";
import { events } from "@stocktake/contract";
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Database } from "../database/pool.ts";
import { ApiError } from "../kernel/api-error.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Config } from "../kernel/config.ts";
import { withDeadline } from "../kernel/deadline.ts";
import type { Tallies } from "../kernel/tallies.ts";
import type { ShopifyPlatform } from "../shopify/shopify.ts";
import { contentType, expose } from "./exposition.ts";
import { Histogram } from "./histogram.ts";
import {
  type PoolCounts,
  poolMetrics,
  sharedMetrics,
  shopifyMetrics,
  talliedMetrics,
} from "./own-metrics.ts";
import { ProcessMetrics } from "./process-metrics.ts";
import { readShared, type Shared } from "./queries.ts";

export interface MetricsServices {
  readonly config: Pick<Config, "metricsToken">;
  readonly database: Database;
  readonly pool: PoolCounts;
  readonly platform: Pick<ShopifyPlatform, "budget">;
  readonly tallies: Tallies;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
}

/** Prometheus gives up after 10 s; a database that is slow leaves the rest readable. */
const databaseTimeoutMs = 3_000;

/** /metrics for Prometheus. It is no call of the contract: programs of the operator read it, with a token of their own. */
export function metricsRoutes(app: FastifyInstance, services: MetricsServices): void {
  const { metricsToken } = services.config;
  if (metricsToken === null) {
    app.get("/metrics", { schema: { hide: true } }, async () => {
      throw new ApiError("NOT_FOUND", "There is no such page.");
    });
    return;
  }
  const latencies = new Histogram({
    name: "stocktake_request_duration_seconds",
    help: "From the request's head to the end of its response.",
  });
  const own = new ProcessMetrics();
  app.addHook("onClose", async () => own.close());
  app.addHook("onResponse", async (request, reply) => observe(latencies, request, reply));

  app.get("/metrics", { schema: { hide: true } }, async ({ headers }, reply) => {
    if (!isBearer(metricsToken, headers.authorization))
      throw new ApiError("UNAUTHENTICATED", "Send the METRICS_TOKEN as a bearer token.");
    const metrics = [
      ...talliedMetrics(services.tallies),
      latencies.metric(),
      ...sharedMetrics(await readOrNull(services)),
      ...poolMetrics(services.pool),
      ...shopifyMetrics(services.platform.budget()),
      ...(await own.read()),
    ];
    return reply.type(contentType).header("cache-control", "no-store").send(expose(metrics));
  });
}

/** Compares digests: their length tells nothing of the token's, and the time nothing of where it differs. */
function isBearer(token: string, authorization: string | undefined): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(`Bearer ${token}`), digest(authorization ?? ""));
}

/** An event stream lasts as long as its page is open, which says nothing of the server. */
function observe(latencies: Histogram, request: FastifyRequest, reply: FastifyReply): void {
  const { url } = request.routeOptions;
  if (url === events.path) return;
  const labels = { method: request.method, route: routeName(url), status: String(reply.statusCode) };
  latencies.observe(labels, reply.elapsedTime / 1000);
}

/** The app has a route for each of its files, whose names change with every release. */
function routeName(url: string | undefined): string {
  if (url === undefined) return "unknown";
  return url.startsWith("/api/") || url === "/metrics" ? url : "web app";
}

async function readOrNull({ database, clock, logger }: MetricsServices): Promise<Shared | null> {
  try {
    return await withDeadline(clock, databaseTimeoutMs, undefined, (signal) =>
      Promise.race([readShared(database), aborted(signal)]),
    );
  } catch (error) {
    logger.warn({ err: error }, "The metrics that the database knows could not be read");
    return null;
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
