import { Agent, request } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { postScan, type ScanPayload } from "@stocktake/contract";
import { ScanSource } from "../scans/load.ts";
import { scanSteadily } from "../scans/steady.ts";
import { PhonesOrders, type PhonesSaw } from "./messages.ts";

/**
 * A process of its own whose phones scan from one message to the next, so that they measure the server and not the bench. It answers with
 * what they saw, and with how late it was itself.
 */

const agent = new Agent({ keepAlive: true });

function store({ url, cookie }: PhonesOrders, scan: ScanPayload): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { cookie, "content-type": "application/json" };
    const sent = request(new URL(postScan.path, url), { agent, method: "POST", headers }, (response) => {
      response.resume().once("end", () => {
        if (response.statusCode === postScan.status) resolve();
        else reject(new Error(`A scan was answered by ${response.statusCode}.`));
      });
    });
    sent.once("error", reject);
    sent.end(JSON.stringify(scan));
  });
}

/** Delays are taken every so many milliseconds, and include them. */
const resolution = 2;

async function scanUntilTold(orders: PhonesOrders): Promise<PhonesSaw> {
  let isOver = false;
  process.once("message", () => {
    isOver = true;
  });
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  const { floor, areas, barcodes } = orders;
  const makeSource = () => new ScanSource(floor, areas, barcodes, 1);
  const scans = await scanSteadily(
    (scan) => store(orders, scan),
    makeSource,
    orders.pace,
    () => isOver,
  );
  delay.disable();
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolution);
  const { max } = delay;
  return {
    scans,
    late: { p50: late(delay.percentile(50)), p99: late(delay.percentile(99)), most: late(max) },
  };
}

process.on("message", async (message) => {
  if (message === "over") return;
  process.send?.(await scanUntilTold(PhonesOrders.parse(message)));
});
process.once("disconnect", () => agent.destroy());
