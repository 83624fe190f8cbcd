import type { Finding } from "@stocktake/contract";
import type { Config } from "../kernel/config.ts";
import { timeText } from "../kernel/formats.ts";
import {
  probeAnswerHeader,
  probeTopic,
  signatureOf,
  webhookShopHeader,
  webhookSignatureHeader,
  webhookTopicHeader,
} from "../shopify/shopify.ts";
import { failed, notConfigured, ok, warning } from "./finding.ts";
import { type Caller, reach } from "./reach.ts";

const path = "/api/webhooks/shopify";

/** Everything works without webhooks; with them stock that moves during a count is seen sooner. */
export async function checkWebhooks(
  { shopify, publicUrl }: Pick<Config, "shopify" | "publicUrl">,
  caller: Caller,
): Promise<Finding | null> {
  if (shopify === null) return null;
  if (shopify.webhookSecret === null) {
    return notConfigured(
      "webhooks",
      "Webhooks are not used: during a count stock is read every minute, products every hour. Nothing depends on them.",
      "To hear of changes at once set SHOPIFY_WEBHOOK_SECRET, see docs/OPERATIONS.md.",
    );
  }
  if (publicUrl === null) {
    return warning(
      "webhooks",
      "SHOPIFY_WEBHOOK_SECRET is set, but without PUBLIC_URL nobody can tell whether webhooks arrive.",
      "Set PUBLIC_URL: Shopify needs an https address that the internet reaches.",
    );
  }
  const body = "{}";
  const reached = await reach(caller, `${publicUrl.origin}${path}`, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      [webhookTopicHeader]: probeTopic,
      [webhookShopHeader]: shopify.shop,
      [webhookSignatureHeader]: signatureOf(shopify.webhookSecret, Buffer.from(body)),
    },
  });
  if (reached.kind === "response") return interpret(publicUrl.origin, reached.response);
  return warning(
    "webhooks",
    `A test webhook did not reach ${publicUrl.origin}${path} (${reached.why}).`,
    "See what is said of the address; Shopify needs to reach it from the internet.",
  );
}

function interpret(origin: string, { status, headers }: Response): Finding {
  if (status === 401) {
    return failed(
      "webhooks",
      `The server at ${origin} refuses webhooks that are signed with SHOPIFY_WEBHOOK_SECRET.`,
      "Restart the server: it still runs with another secret. If it stays, PUBLIC_URL leads to another installation.",
    );
  }
  const last = headers.get(probeAnswerHeader);
  if (status !== 200 || last === null) {
    return failed(
      "webhooks",
      `A test webhook was not understood at ${origin}${path} (status ${status}).`,
      "Make sure that the proxy passes POST requests and the headers that begin with X-Shopify on as they come.",
    );
  }
  if (last !== "never")
    return ok("webhooks", `Webhooks arrive; Shopify's last came at ${timeText(new Date(last))}.`);
  return warning(
    "webhooks",
    "A test webhook arrives, but Shopify has sent none since the server's start.",
    `Change an item's stock in Shopify. If still none comes within a few minutes, subscribe inventory_levels/update, products/create, products/update and products/delete to ${origin}${path}.`,
  );
}
