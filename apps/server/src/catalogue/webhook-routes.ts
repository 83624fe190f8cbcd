import { setMaxListeners } from "node:events";
import { shopifyWebhook } from "@stocktake/contract";
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from "fastify";
import type { Clock } from "../kernel/clock.ts";
import { route } from "../kernel/route.ts";
import { inventoryLevelsUpdate, levelHint, probeAnswerHeader, probeTopic } from "../shopify/shopify.ts";
import type { CatalogueServices } from "./services.ts";
import { readSignedWebhook, type SignedWebhook } from "./signed-webhook.ts";

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
    route(scope, shopifyWebhook, async ({ request, reply }) => {
      const webhook = await readCounted(services, request);
      if (webhook.topic === probeTopic) reply.header(probeAnswerHeader, lastArrival(services));
      else take(webhook);
      return { success: true as const };
    });
  });

  function take({ topic, body }: SignedWebhook): void {
    services.tallies.lastWebhookAt = clock.now();
    if (topic === inventoryLevelsUpdate) {
      const location = levelHint(body)?.shopifyLocationId;
      if (location !== undefined)
        hints.give(`stock of ${location}`, stockPauseMs, () => stockWatch.read(location));
    } else if (topic.startsWith("products/")) {
      hints.give("catalogue", cataloguePauseMs, (signal) => catalogue.refreshFromNow(signal));
    }
  }
}

async function readCounted(
  { config, database, tallies }: CatalogueServices,
  request: FastifyRequest,
): Promise<SignedWebhook> {
  try {
    const webhook = await readSignedWebhook(request, config.shopify, database);
    tallies.webhooks.add("accepted");
    return webhook;
  } catch (error) {
    tallies.webhooks.add("refused");
    throw error;
  }
}

/** For the diagnosis, which may run as a process of its own. */
function lastArrival({ tallies: { lastWebhookAt } }: CatalogueServices): string {
  return lastWebhookAt === null ? "never" : new Date(lastWebhookAt).toISOString();
}

/** The signature is over the bytes as they came, so nothing may read them as JSON before. */
function keepRawBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
}

/** @param signal aborted when the server stops */
type Read = (signal: AbortSignal) => Promise<void>;

/** Gathers hints that something should be read again. */
interface Hints {
  /** Reads after the pause, once for all hints of the same thing that come until then. A failure is logged. */
  give(what: string, pauseMs: number, read: Read): void;
  close(): Promise<void>;
}

function createHints(clock: Clock, logger: FastifyBaseLogger): Hints {
  const closing = new AbortController();
  // Every Shopify location that is hinted at waits with a listener.
  setMaxListeners(0, closing.signal);
  const waiting = new Set<string>();
  const underWay = new Set<Promise<void>>();

  async function readLater(what: string, pauseMs: number, read: Read): Promise<void> {
    try {
      await clock.sleep(pauseMs, closing.signal);
      // From here on a new hint may speak of something that this reading does not see any more.
      waiting.delete(what);
      await read(closing.signal);
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
