import { afterEach, beforeEach } from "vitest";
import { shopifyApiVersion } from "../documents.ts";
import { createShopifyTransport, type ShopifyTransport, type TransportOptions } from "../transport.ts";
import { type ScriptedShop, startScriptedShop } from "./scripted-shop.ts";
import { createTestClock, type TestClock, TIME_LIMIT_MS } from "./test-clock.ts";

/** A transport on a test clock against a scripted server. */
export interface ScriptedTransport {
  readonly shop: ScriptedShop;
  readonly clock: TestClock;
  readonly transport: ShopifyTransport;
}

/** Jitter always takes half of the pause, and every time limit is TIME_LIMIT_MS. */
export async function startScriptedTransport(
  options: Partial<TransportOptions> = {},
): Promise<ScriptedTransport> {
  const shop = await startScriptedShop();
  const clock = createTestClock();
  const transport = createShopifyTransport({
    apiUrl: shop.url,
    version: shopifyApiVersion,
    auth: { kind: "token", accessToken: "shpat_given" },
    clock,
    timeouts: { call: TIME_LIMIT_MS, token: TIME_LIMIT_MS, idle: TIME_LIMIT_MS },
    random: () => 0.5,
    ...options,
  });
  return { shop, clock, transport };
}

/** One for each test of the file or block: the returned object is always that of the running test. */
export function transportInEachTest(options: Partial<TransportOptions> = {}): ScriptedTransport {
  let running: ScriptedTransport;
  beforeEach(async () => {
    running = await startScriptedTransport(options);
  });
  afterEach(() => running.shop.close());
  return {
    get shop() {
      return running.shop;
    },
    get clock() {
      return running.clock;
    },
    get transport() {
      return running.transport;
    },
  };
}

/** An address on which nothing listens. */
export async function closedUrl(): Promise<string> {
  const shop = await startScriptedShop();
  await shop.close();
  return shop.url;
}
