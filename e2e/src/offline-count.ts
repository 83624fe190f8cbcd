import { type AreaScan, areaScans } from "@stocktake/contract";
import type { Counter } from "./people/counter.ts";
import { hasInstalled } from "./people/installed-app.ts";
import { type CountPlan, invite, type RunningCount, startCount } from "./running-count.ts";
import { once, onStage, test as stageTest } from "./stage.ts";
import type { Stage } from "./staging.ts";
import { type Article, findArticle } from "./stock.ts";

/** A store with one location, for the tests of counting without a network. */
export const offlineStore = { store: "Linden Quay Old Mill", location: "Ground Floor" } as const;

interface OfflineOptions {
  /** An object, because Playwright takes an array for a value with options. */
  readonly plan: Pick<CountPlan, "areas">;
}

interface OfflineFixtures extends OfflineOptions {
  readonly count: RunningCount;
  /** What lies on the shelves: each is scanned more than once. */
  readonly pile: readonly Article[];
}

const countOn = onStage((stage, plan: OfflineOptions["plan"]) =>
  startCount(stage, { ...offlineStore, ...plan }),
);

/** A session of the store is running, with the areas that the file plans. */
export const test = stageTest.extend<OfflineFixtures>({
  plan: [{ areas: [] }, { option: true }],
  count: async ({ stage, plan }, use) => use(await countOn(stage, plan)),
  pile: once(async (stage) => {
    const shop = await stage.shop.snapshot();
    return [
      findArticle(shop, "Jetty Shorts Sand", "M"),
      findArticle(shop, "Estuary Dress Plum", "10"),
      findArticle(shop, "Cobble Boot Brick", "41"),
    ];
  }),
});

/** Joins by an invitation, and has the app and the products on the phone, ready to lose the network. */
export async function join(counter: Counter, stage: Stage, count: RunningCount, name: string): Promise<void> {
  const person = { name, email: `${name.toLowerCase()}@linden-quay.example` };
  await counter.joins((await invite(stage, count, person)).link, name);
  await hasInstalled(counter.page);
  await counter.syncsProducts(offlineStore.store, (await stage.shop.snapshot()).variants.length);
}

export function codes(articles: readonly Article[]): string[] {
  return articles.map(({ barcode }) => barcode);
}

/** The counted scans that the server has of an area, oldest first. */
export async function scansOf(
  { admin, sessionId, locationId }: RunningCount,
  areaCode: string,
): Promise<AreaScan[]> {
  const params = { sessionId, areaCode };
  const { scans } = await admin.call(areaScans, { params, query: { locationId } });
  return scans.toReversed();
}
