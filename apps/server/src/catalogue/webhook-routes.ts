import { setMaxListeners } from "node:events";
import { shopifyWebhook } from "@stocktake/contract";
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "../kernel/api-error.ts";
import type { Clock } from "../kernel/clock.ts";
import { route } from "../kernel/route.ts";
import {
  inventoryLevelsUpdate,
  isSignedBy,
  levelHint,
  webhookSignatureHeader,
  webhookTopicHeader,
} from "../shopify/shopify.ts";
import type { CatalogueServices } from "./services.ts";

/** A sale sends several hints, and a delivery note one for each of its items. */
const stockPauseMs = 2_000;
/** Reading the whole catalogue is long, and selling changes products too. */
const cataloguePauseMs = 60_000;

/** Shopify's webhooks, told apart by their signature; each is answered at once and says no more than: read again. */
export function webhookRoutes(app: FastifyInstance, services: CatalogueServices): void {
  const { stockWatch, catalogue, clock, logger } = services;
  const hints = createHints(clock, logger);
  app.addHook("onClose", () => hints.close());

  app.register(async (scope) => {
    keepRawBodies(scope);
    route(scope, shopifyWebhook, async ({ request }) => {
      const body = requireSigned(request, services.config.shopify?.webhookSecret ?? "");
      const topic = headerOf(request, webhookTopicHeader) ?? "";
      if (topic === inventoryLevelsUpdate) {
        const location = levelHint(body)?.shopifyLocationId;
        if (location !== undefined)
          hints.give(`stock of ${location}`, stockPauseMs, () => stockWatch.read(location));
      } else if (topic.startsWith("products/")) {
        hints.give("catalogue", cataloguePauseMs, () => catalogue.refresh());
      }
      return { success: true as const };
    });
  });
}

/** The signature is over the bytes as they came, so nothing may read them as JSON before. */
function keepRawBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
}

function requireSigned({ body, headers }: FastifyRequest, secret: string): Buffer {
  const signature = headers[webhookSignatureHeader];
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  if (isSignedBy(secret, bytes, typeof signature === "string" ? signature : undefined)) return bytes;
  throw new ApiError("UNAUTHENTICATED", "This call is not signed by the Shopify shop.");
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

/** Gathers hints that something should be read again. */
interface Hints {
  /** Reads after the pause, once for all hints of the same thing that come until then. A failure is logged. */
  give(what: string, pauseMs: number, read: () => Promise<void>): void;
  close(): Promise<void>;
}

function createHints(clock: Clock, logger: FastifyBaseLogger): Hints {
  const closing = new AbortController();
  // Every Shopify location that is hinted at waits with a listener.
  setMaxListeners(0, closing.signal);
  const waiting = new Set<string>();
  const underWay = new Set<Promise<void>>();

  async function readLater(what: string, pauseMs: number, read: () => Promise<void>): Promise<void> {
    try {
      await clock.sleep(pauseMs, closing.signal);
      // From here on a new hint may speak of something that this reading does not see any more.
      waiting.delete(what);
      await read();
    } catch (error) {
      if (!closing.signal.aborted)
        logger.warn({ err: error, what }, "What Shopify hinted at could not be read");
    }
  }

  return {
    give(what, pauseMs, read) {
      if (waiting.has(what) || closing.signal.aborted) return;
      waiting.add(what);
      const reading = readLater(what, pauseMs, read).finally(() => underWay.delete(reading));
      underWay.add(reading);
    },
    async close() {
      closing.abort();
      await Promise.all(underWay);
    },
  };
}
