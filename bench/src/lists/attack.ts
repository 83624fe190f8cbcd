import { randomBytes, randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { limits } from "@stocktake/contract";
import * as z from "zod/mini";

/**
 * A process of its own that does to a server what whoever holds one invitation link can, until it is told to stop, and says
 * in the end how often each status was returned.
 */
const Orders = z.object({
  url: z.string(),
  cookies: z.array(z.string()),
  /** Connections of each login. */
  connections: z.number(),
  /** Addresses to read again and again; none: unknown codes under made-up devices are sent. */
  reads: z.array(z.string()),
  floor: z.object({ sessionId: z.string(), storeId: z.string(), locationId: z.string() }),
  areaCode: z.string(),
});
export type Orders = z.infer<typeof Orders>;

const statuses = new Map<number, number>();
let isOver = false;

/** Made once and then filled in, so that the attacker needs little of the processor. */
function batchTemplate({ floor, areaCode }: Orders): string {
  const scans = Array.from({ length: limits.scansPerCall }, (_none, index) => ({
    ...{ ...floor, areaCode, input: `NO-SUCH-${index}`, inputType: "barcode" },
    ...{
      deviceId: `RUN-${index}`,
      seq: 1,
      method: "scan",
      scannedAt: new Date().toISOString(),
      opId: randomUUID(),
    },
  }));
  return JSON.stringify({ scans, pending: 1 });
}

function once(
  orders: Orders,
  agent: Agent,
  cookie: string,
  path: string,
  body: string | null,
): Promise<void> {
  return new Promise((settle) => {
    const method = body === null ? "GET" : "POST";
    const headers = { cookie, "content-type": "application/json" };
    const sent = request(new URL(path, orders.url), { agent, method, headers }, (response) => {
      const status = response.statusCode ?? 0;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      response.resume().on("close", settle);
    });
    sent.on("error", () => settle());
    sent.end(body ?? undefined);
  });
}

async function keepOn(orders: Orders, cookie: string, template: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let number = 0; !isOver; number += 1) {
    const path = orders.reads[number % orders.reads.length];
    if (path !== undefined) await once(orders, agent, cookie, path, null);
    else {
      const body = template
        .replaceAll("RUN-", `${randomBytes(6).toString("hex")}-`)
        .replaceAll(/"opId":"[^"]+"/g, () => `"opId":"${randomUUID()}"`);
      await once(orders, agent, cookie, "/api/scan/batch", body);
    }
  }
  agent.destroy();
}

process.once("message", (message) => {
  const orders = Orders.parse(message);
  const template = batchTemplate(orders);
  process.once("message", () => {
    isOver = true;
  });
  const all = orders.cookies.flatMap((cookie) => Array.from({ length: orders.connections }, () => cookie));
  void Promise.all(all.map((cookie) => keepOn(orders, cookie, template))).then(() => {
    process.send?.(Object.fromEntries(statuses));
    process.disconnect();
  });
});
