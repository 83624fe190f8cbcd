import { createCounter, deployReport, endSession, previewDeploy } from "@stocktake/contract";
import type { ShopSnapshot } from "@stocktake/shopify-emulator";
import { countOverApi, invite, type RunningCount, startCount } from "./running-count.ts";
import type { Stage } from "./staging.ts";
import { type Article, findArticle, findSharedSku, onHandOf } from "./stock.ts";

export const harbour = "Linden Quay Harbour Street";
const oldMill = "Linden Quay Old Mill";

const oldMillAreas = [
  { code: "A1", name: "Tees and shirts" },
  { code: "A2", name: "Knitwear" },
  { code: "A3", name: "Jackets and trousers" },
  { code: "B1", name: "Shoes and extras" },
];
const harbourAreas = [
  { code: "A1", name: "Front tables" },
  { code: "A2", name: "Rails left" },
  { code: "A3", name: "Rails right" },
  { code: "A4", name: "Shoe wall" },
  { code: "A10", name: "Window" },
  { code: "B1", name: "Stockroom" },
];
const people = {
  edda: { name: "Edda Voss", email: "edda@linden-quay.example" },
  jonas: { name: "Jonas Okoro", email: "jonas@linden-quay.example" },
  mara: { name: "Mara Lindt", email: "mara@linden-quay.example" },
};

/** Every 29th unit of the shop is overlooked, and every 83rd counted twice, so that the report has something to say. */
const overlooked = 29;
const doubled = 83;

/** The SKUs that people find at a location, area after area; what a SKU alone does not name is left lying. */
function findings(shop: ShopSnapshot, position: number): string[] {
  const isShared = (sku: string) => shop.variants.filter((each) => each.sku === sku).length > 1;
  const units = shop.variants.flatMap((variant) => {
    const isPlain = variant.tracked && !variant.requiresComponents;
    const { sku } = variant;
    if (!isPlain || sku === null || isShared(sku)) return [];
    return Array.from({ length: Math.max(0, onHandOf(variant, position)) }, () => sku);
  });
  return units.flatMap((sku, index) => {
    if (index % overlooked === 0) return [];
    return index % doubled === 0 ? [sku, sku] : [sku];
  });
}

function shares<Item>(items: readonly Item[], parts: number): Item[][] {
  const size = Math.ceil(items.length / parts);
  return Array.from({ length: parts }, (_none, index) => items.slice(index * size, (index + 1) * size));
}

/** A whole count of the second shop, with sales in between, ended. */
async function countOldMill(stage: Stage): Promise<RunningCount> {
  const count = await startCount(stage, { store: oldMill, location: "Ground Floor", areas: oldMillAreas });
  const { link } = await invite(stage, count, people.edda);
  const shop = await stage.shop.snapshot();
  for (const [index, codes] of shares(findings(shop, 1), oldMillAreas.length).entries()) {
    const area = oldMillAreas[index]?.code ?? "";
    await countOverApi(stage, count, { link, area, codes, inputType: "sku", finish: true });
  }
  const tee = findArticle(shop, "Tern Tee Moss", "M");
  await stage.shop.receive({ item: tee.sku, location: oldMill, quantity: 3 });
  await count.admin.call(endSession, { body: { sessionId: count.sessionId } });
  return count;
}

/** The first shop in the middle of its count: closed areas, one in progress, one not begun, an unknown code. */
async function countHarbour(stage: Stage): Promise<RunningCount> {
  const count = await startCount(stage, { store: harbour, location: "Sales Floor", areas: harbourAreas });
  const { link } = await invite(stage, count, people.jonas);
  const shop = await stage.shop.snapshot();
  const [tables = [], rails = [], right = []] = shares(findings(shop, 0).slice(0, 360), 3);
  for (const [area, codes] of [["A1", tables] as const, ["A2", rails] as const]) {
    await countOverApi(stage, count, { link, area, codes, inputType: "sku", finish: true });
  }
  await countOverApi(stage, count, { link, area: "A3", codes: [...right, "5012345678900"], finish: false });
  return count;
}

/** What the camera shows. */
export interface Scenery {
  readonly ended: RunningCount;
  readonly running: RunningCount;
  /** The link of somebody who has not come yet. */
  readonly link: string;
  readonly goods: readonly Article[];
  /** What several products are called by. */
  readonly sharedSku: string;
}

/** The article whose label the camera shows. */
export function articleBeforeTheCamera(shop: ShopSnapshot): Article {
  return findArticle(shop, "Jetty Shorts Sand", "M");
}

/** Fills the product with the demo shop's counts. */
export async function buildScenery(stage: Stage): Promise<Scenery> {
  const ended = await countOldMill(stage);
  const running = await countHarbour(stage);
  for (const username of ["Kasimir Brandt", "Lena Hofer"]) {
    await ended.admin.call(createCounter, { body: { username, password: "only for the pictures" } });
  }
  const shop = await stage.shop.snapshot();
  const { link } = await invite(stage, running, people.mara);
  const goods = [
    findArticle(shop, "Harbour Rain Jacket Ink", "M"),
    findArticle(shop, "Mooring Lambswool Crew Moss", "L"),
    findArticle(shop, "Tiller Canvas Sneaker Chalk", "41"),
    findArticle(shop, "Quay Oxford Shirt Sky", "S"),
    findArticle(shop, "Estuary Dress Plum", "10"),
    findArticle(shop, "Fog Scarf Oat", "One Size"),
  ];
  return { ended, running, link, goods, sharedSku: findSharedSku(shop) };
}

/** Deploys the ended count, for the picture of what can be rolled back. */
export async function deployEnded({ ended }: Scenery): Promise<void> {
  const params = { sessionId: ended.sessionId };
  const { uncounted } = await ended.admin.call(previewDeploy, { params });
  const body = uncounted.confirmUnits === null ? {} : { confirmUnits: uncounted.confirmUnits };
  await ended.admin.call(deployReport, { params, body });
}
