import { listAreas } from "@stocktake/contract";
import { codes, join, offlineStore, scansOf, test } from "./offline-count.ts";
import { Counter, phone } from "./people/counter.ts";
import { expect } from "./stage.ts";
import type { Article } from "./stock.ts";

const { store, location } = offlineStore;
const areas = [
  { code: "A1", name: "Tables" },
  { code: "A2", name: "Shelves" },
  { code: "A3", name: "Window" },
];
const leavingAfterMs = 3_000;

test.use({ stageName: "offline", plan: { areas } });

function skus(articles: readonly Article[]): string[] {
  return articles.map(({ sku }) => sku);
}

test("scans made without a network reach the server once, in order, when it is back", async ({
  openPage,
  stage,
  count,
  pile,
}) => {
  const counter = new Counter(await openPage(phone));
  await join(counter, stage, count, "Wanda");
  await counter.startsArea({ store, location, area: "A1" });
  await counter.scans(codes(pile));
  await counter.hasPending(0);

  await counter.goesOffline();
  for (const [index, article] of pile.entries()) {
    await counter.scans([article.barcode]);
    await expect(counter.banner).toContainText("Saved locally - will sync later");
    await counter.hasPending(index + 1);
  }
  expect(skus(pile)).toEqual((await scansOf(count, "A1")).map(({ sku }) => sku));

  await counter.comesBack();
  const arrived = await scansOf(count, "A1");
  expect(arrived.map(({ sku }) => sku)).toEqual([...skus(pile), ...skus(pile)]);
  expect(new Set(arrived.map(({ seq }) => seq)).size).toBe(arrived.length);
  await expect(counter.itemsScanned).toHaveText("6");
});

test("a reload without a network goes on in the same area, and what waits is sent later", async ({
  openPage,
  stage,
  count,
  pile,
}) => {
  const counter = new Counter(await openPage(phone));
  await join(counter, stage, count, "Rosa");
  await counter.startsArea({ store, location, area: "A3" });
  await counter.goesOffline();
  await counter.scans(codes(pile));
  await counter.page.reload();
  await expect(counter.itemsScanned).toHaveText(String(pile.length));
  await counter.hasPending(pile.length);
  await counter.scans(codes(pile.slice(0, 1)));
  await counter.page.context().setOffline(false);
  await counter.hasPending(0);
  const expected = skus([...pile, ...pile.slice(0, 1)]);
  expect((await scansOf(count, "A3")).map(({ sku }) => sku)).toEqual(expected);
});

test("an area undone, declared and left without a network is closed when it is back", async ({
  openPage,
  stage,
  count,
  pile,
}) => {
  const counter = new Counter(await openPage(phone));
  await join(counter, stage, count, "Otto");
  await counter.startsArea({ store, location, area: "A2" });
  await counter.goesOffline();
  await counter.scans(codes(pile));
  await counter.undoesLast();
  await counter.declares(2);
  await expect(counter.banner).toContainText("Saved locally - will sync later");
  await counter.page.clock.fastForward(leavingAfterMs);
  await expect(counter.page.getByRole("heading", { name: "Counter Dashboard" })).toBeVisible();

  await counter.page.context().setOffline(false);
  await counter.hasPending(0);
  expect((await scansOf(count, "A2")).map(({ sku }) => sku)).toEqual(skus(pile.slice(0, 2)));
  const { areas: known } = await count.admin.call(listAreas);
  expect(known.find(({ code }) => code === "A2")?.status).toBe("closed");
});
