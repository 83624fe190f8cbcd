import { shopifyWebhook } from "@stocktake/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AppContext } from "../context.ts";
import { ApiError } from "../kernel/api-error.ts";
import { route } from "../kernel/route.ts";
import { createHints } from "./hints.ts";
import {
  INVENTORY_LEVELS_UPDATE,
  isSignedBy,
  levelHint,
  WEBHOOK_SIGNATURE_HEADER,
  WEBHOOK_TOPIC_HEADER,
} from "./webhooks.ts";

/** A sale sends several hints, and a delivery note one for each of its items. */
const STOCK_PAUSE_MS = 2_000;
/** Reading the whole catalogue is long, and selling changes products too. */
const CATALOGUE_PAUSE_MS = 60_000;

/** Shopify's webhooks, told apart by their signature; each is answered at once and says no more than: read again. */
export function webhookRoutes(app: FastifyInstance, context: AppContext): void {
  const { stockWatch, catalogue, clock, logger } = context;
  const hints = createHints(clock, logger);
  app.addHook("onClose", () => hints.close());

  app.register(async (scope) => {
    keepRawBodies(scope);
    route(scope, shopifyWebhook, async ({ request }) => {
      const body = requireSigned(request, context.config.shopify?.webhookSecret ?? "");
      const topic = headerOf(request, WEBHOOK_TOPIC_HEADER) ?? "";
      if (topic === INVENTORY_LEVELS_UPDATE) {
        const location = levelHint(body)?.shopifyLocationId;
        if (location !== undefined)
          hints.give(`stock of ${location}`, STOCK_PAUSE_MS, () => stockWatch.read(location));
      } else if (topic.startsWith("products/")) {
        hints.give("catalogue", CATALOGUE_PAUSE_MS, () => catalogue.refresh());
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
  const signature = headers[WEBHOOK_SIGNATURE_HEADER];
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  if (isSignedBy(secret, bytes, typeof signature === "string" ? signature : undefined)) return bytes;
  throw new ApiError("UNAUTHENTICATED", "This call is not signed by the Shopify shop.");
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}
