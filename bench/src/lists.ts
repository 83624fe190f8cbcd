import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import {
  adminLogin,
  postScan,
  productMap,
  type ScanPayload,
  sessionExceptions,
  sessionProgress,
} from "@stocktake/contract";
import { ApiClient, type Product } from "@stocktake/testkit";
import type { Orders } from "./lists/attack.ts";
import { loadText, machineText } from "./machine.ts";
import { proveOnProduct } from "./on-product.ts";
import type { Floor } from "./rehearsal/counter.ts";
import { beginSession, inviteCounter, inviteWithDevices, makeStore } from "./rehearsal/store-floor.ts";
import { ScanSource, unsharedBarcodes } from "./scans/load.ts";
import { risingTimes, scanSteadily } from "./scans/steady.ts";
import { percentile } from "./times.ts";

const help = `How long another store's scans take while whoever holds one invitation link floods a session, on the built product: quiet,
under unknown codes of made-up devices, and under reading lists. The administrator reads the session's lists meanwhile.

  npm run bench:lists -- [--seconds N]
`;

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "15" }, help: { type: "boolean", default: false } },
});

const password = "the bench's own password";
const pace = { phones: 20, everyMs: 250 };
/** As many as a link may have, and connections of each. */
const [logins, connectionsOfLogin] = [20, 2];
/** What a scan of another store may take, 99 of 100 times. */
const aimMs = 25;
const say = (line: string) => process.stdout.write(`${line}\n`);

interface Shop extends Floor {
  readonly areaCode: string;
}

async function openShop(admin: ApiClient, place: number): Promise<Shop> {
  const areaCode = "A1";
  return { ...(await beginSession(admin, await makeStore(admin, [areaCode], place))), areaCode };
}

async function lookAtLists(admin: ApiClient, { sessionId: id }: Shop, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1_000;
  let longest = 0;
  while (performance.now() < until) {
    const began = performance.now();
    await admin.call(sessionProgress, { params: { id } });
    await admin.call(sessionExceptions, { params: { id } });
    longest = Math.max(longest, performance.now() - began);
    await pause(1_000);
  }
  return longest;
}

interface Scene {
  readonly product: Product;
  readonly admin: ApiClient;
  readonly flooded: Shop;
  readonly other: Shop;
  readonly attackers: readonly ApiClient[];
  readonly counter: ApiClient;
  readonly barcodes: readonly string[];
}

async function measure(scene: Scene, name: string, reads: readonly string[] | null): Promise<number> {
  const seconds = Number(values.seconds);
  const end = reads === null ? async () => ({}) : await attack(scene, reads);
  const { other, counter, barcodes } = scene;
  let isOver = false;
  const makeSource = () => new ScanSource(other, [other.areaCode], barcodes, 1);
  const store = (scan: ScanPayload) => counter.call(postScan, { body: scan });
  const scanning = scanSteadily(store, makeSource, pace, () => isOver);
  const longest = await lookAtLists(scene.admin, scene.flooded, seconds);
  isOver = true;
  const took = risingTimes(await scanning);
  const statuses = await end();
  const p99 = percentile(took, 0.99);
  say(
    `${name}: ${took.length} scans of the other store, p50 ${percentile(took, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
  );
  say(
    `  progress and exceptions together at most ${longest.toFixed(0)} ms; the flood got ${JSON.stringify(statuses)}`,
  );
  return p99;
}

async function attack({ product, flooded, attackers }: Scene, reads: readonly string[]) {
  const child = fork(fileURLToPath(new URL("lists/attack.ts", import.meta.url)));
  const { areaCode, ...floor } = flooded;
  const cookies = attackers.map(({ cookie }) => cookie ?? "");
  const orders: Orders = {
    ...{ url: product.url, cookies, connections: connectionsOfLogin, areaCode },
    ...{ reads: [...reads], floor },
  };
  child.send(orders);
  await pause(3_000);
  return async () => {
    child.send("over");
    const [statuses]: unknown[] = await once(child, "message");
    return statuses;
  };
}

async function openScene(product: Product): Promise<Scene> {
  const admin = new ApiClient(product.url);
  await admin.call(adminLogin, { body: { password } });
  const [flooded, other] = [await openShop(admin, 0), await openShop(admin, 1)];
  const { products } = await admin.call(productMap, { query: { storeId: other.storeId } });
  const counter = await inviteCounter(admin, other, "counter");
  const attackers = await inviteWithDevices(admin, flooded, "attacker", logins);
  return { product, admin, flooded, other, attackers, counter, barcodes: unsharedBarcodes(products) };
}

async function prove(product: Product): Promise<string[]> {
  const scene = await openScene(product);
  const { sessionId, areaCode, locationId, storeId } = scene.flooded;
  await measure(scene, "warming up", null);
  await measure(scene, "quiet", null);
  const codes = await measure(scene, "unknown codes", []);
  const lists = await measure(scene, "lists", [
    "/api/areas",
    `/api/area/${sessionId}/${areaCode}?locationId=${locationId}`,
    "/api/session",
    `/api/products/map?storeId=${storeId}`,
  ]);
  return [codes, lists]
    .filter((p99) => p99 > aimMs)
    .map((p99) => `the other store's scans took ${p99.toFixed(1)} ms (p99), more than ${aimMs}`);
}

async function main(): Promise<void> {
  say(`${machineText()}, ${loadText()} before`);
  await proveOnProduct(password, prove);
}

if (values.help) process.stdout.write(help);
else await main();
