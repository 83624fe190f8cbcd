import { createHmac, randomUUID } from "node:crypto";
import type { WebhookDelivery, WebhookTarget } from "./control/protocol.ts";
import type { StoreEvent } from "./events.ts";
import { gidDigits, levelGid } from "./gid.ts";
import { isoSeconds } from "./graphql/views.ts";
import type { Store } from "./store.ts";

const TOPIC = "inventory_levels/update";

interface ChangedLevel {
  readonly itemId: string;
  readonly locationId: string;
}

/**
 * Sends inventory_levels/update for changes of `available`. Changes of one level that come before the last
 * one was sent are merged, as the platform may do.
 */
export class Webhooks {
  private readonly store: Store;
  private target: WebhookTarget | null = null;
  private readonly waiting = new Map<string, ChangedLevel>();
  private readonly sent: WebhookDelivery[] = [];
  private sending: Promise<void> | null = null;
  private readonly closing = new AbortController();

  constructor(store: Store) {
    this.store = store;
    store.listen((event) => this.notice(event));
  }

  setTarget(target: WebhookTarget | null): void {
    this.target = target;
  }

  /** What was delivered, once nothing waits any more. */
  async deliveries(): Promise<readonly WebhookDelivery[]> {
    await this.sending;
    return this.sent;
  }

  async close(): Promise<void> {
    this.target = null;
    this.closing.abort();
    await this.sending;
  }

  reset(): void {
    this.target = null;
    this.waiting.clear();
    this.sent.length = 0;
  }

  private notice(event: StoreEvent): void {
    if (!this.target || event.type !== "moved") return;
    for (const { name, itemId, locationId } of event.rows) {
      if (name === "available") this.waiting.set(levelGid(itemId, locationId), { itemId, locationId });
    }
    this.sending ??= this.sendWaiting().finally(() => {
      this.sending = null;
    });
  }

  private async sendWaiting(): Promise<void> {
    for (const [id, changed] of this.waiting) {
      this.waiting.delete(id);
      const body = this.body(id, changed);
      if (this.target && body !== null) await this.deliver(this.target, body);
    }
  }

  private body(id: string, { itemId, locationId }: ChangedLevel): string | null {
    const variant = this.store.items.get(itemId);
    const level = variant && this.store.level(variant, locationId);
    if (!level) return null;
    // Written by hand: the ids are JSON numbers above 2^53, which JSON.stringify cannot write.
    const updatedAt = isoSeconds(level.updatedAt).replace("Z", "+00:00");
    return `{"inventory_item_id":${gidDigits(itemId)},"location_id":${gidDigits(locationId)},"available":${level.quantities.available},"updated_at":"${updatedAt}","admin_graphql_api_id":"${id}"}`;
  }

  private async deliver({ url, secret }: WebhookTarget, body: string): Promise<void> {
    const id = randomUUID();
    const signature = createHmac("sha256", secret).update(body).digest("base64");
    const headers = {
      "Content-Type": "application/json",
      "X-Shopify-Topic": TOPIC,
      "X-Shopify-Shop-Domain": this.store.shop.myshopifyDomain,
      "X-Shopify-API-Version": "2026-10",
      "X-Shopify-Webhook-Id": id,
      "X-Shopify-Hmac-SHA256": signature,
    };
    const status = await this.post(url, headers, body);
    this.sent.push({ id, topic: TOPIC, body, status });
  }

  /** Null without a response: a receiver that is away is part of the simulation, not an error here. */
  private async post(url: string, headers: Record<string, string>, body: string): Promise<number | null> {
    try {
      const signal = AbortSignal.any([this.closing.signal, AbortSignal.timeout(5000)]);
      const response = await fetch(url, { method: "POST", headers, body, signal });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return null;
    }
  }
}
