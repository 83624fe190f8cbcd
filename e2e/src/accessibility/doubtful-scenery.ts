import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { connections, endSession, postScanBatch, resolveScan, sessionExceptions } from "@stocktake/contract";
import type { ShopSnapshot } from "@stocktake/shopify-emulator";
import { type Product, startProduct } from "@stocktake/testkit";
import { countOverApi, invite, type RunningCount, startCount } from "../running-count.ts";
import { adminPassword, type Stage } from "../staging.ts";
import { findArticle } from "../stock.ts";

const oldMill = "Linden Quay Old Mill";

/** A count of which an administrator has much to decide. */
export interface DoubtfulCount {
  readonly count: RunningCount;
  /** Counted where Shopify does not stock it. */
  readonly found: string;
  /** Sold after the end and before a late scan of it was accepted. */
  readonly uncertain: string;
}

/**
 * A count of a whole store with every area closed and hardly anything counted, so that a deploy would zero the rest; one
 * article is not stocked there, and a late scan of another came after it was sold.
 */
export async function buildDoubtfulCount(stage: Stage): Promise<DoubtfulCount> {
  const shop = await stage.shop.snapshot();
  const found = skuOfTitle(shop, "Pilot Wool Coat Slate");
  const uncertain = findArticle(shop, "Jetty Shorts Sand", "M").sku;
  const areas = [{ code: "A1", name: "Ground floor" }];
  const count = await startCount(stage, { store: oldMill, location: "Ground Floor", areas });
  const { link } = await invite(stage, count, { name: "Edda", email: "edda@linden-quay.example" });
  const codes = [found, found, uncertain];
  await countOverApi(stage, count, { link, area: "A1", codes, inputType: "sku", finish: true });
  await count.admin.call(endSession, { body: { sessionId: count.sessionId } });
  await stage.shop.sell({ item: uncertain, location: oldMill, quantity: 1 });
  await acceptLate(count, uncertain);
  return { count, found, uncertain };
}

function skuOfTitle({ products, variants }: ShopSnapshot, title: string): string {
  const product = products.find((each) => each.title === title);
  const sku = variants.find(({ productId }) => productId === product?.id)?.sku ?? null;
  if (sku === null) throw new Error(`The shop has no ${title} with a SKU.`);
  return sku;
}

async function acceptLate({ admin, sessionId, storeId, locationId }: RunningCount, sku: string) {
  const place = { sessionId, storeId, locationId, areaCode: "A1" };
  const scan = { ...place, input: sku, inputType: "sku", deviceId: "device-late", seq: 1, method: "scan" };
  await admin.call(postScanBatch, { body: { scans: [scan] } });
  const { scans } = await admin.call(sessionExceptions, { params: { id: sessionId } });
  for (const { _id: id } of scans)
    await admin.call(resolveScan, { params: { id }, body: { action: "accept" } });
}

const program = (name: string) =>
  fileURLToPath(new URL(`../../../apps/server/dist/${name}.js`, import.meta.url));

/** Backs the stage's product up and restores it into another one beside it, over the same shop. */
export async function restoreBeside(
  { product }: Stage,
  { admin }: RunningCount,
): Promise<Product & { readonly close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "stocktake-restored-"));
  const [file, dataDir] = [join(folder, "backup"), join(folder, "data")];
  const run = (name: string, DATA_DIR: string) =>
    promisify(execFile)(process.execPath, [program(name), file], {
      env: {
        PATH: process.env.PATH ?? "",
        HOME: process.env.HOME ?? "",
        ADMIN_PASSWORD: adminPassword,
        DATA_DIR,
      },
    });
  await run("backup", product.dataDir);
  await run("restore", dataDir);
  const { shopify } = await admin.call(connections);
  const restored = await startProduct({ shopifyUrl: `http://${shopify?.server}`, adminPassword, dataDir });
  const close = async () => {
    await restored.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { ...restored, close };
}
