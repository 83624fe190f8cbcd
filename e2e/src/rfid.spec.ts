import { sessionExceptions } from "@stocktake/contract";
import { epcOf } from "@stocktake/testkit/epc";
import { expectAccessible, still, twoAppearances } from "./accessibility/axe.ts";
import { isInTheOpen, smallScreens } from "./hands.ts";
import { scansOf } from "./offline-count.ts";
import { Admin } from "./people/admin.ts";
import { Counter } from "./people/counter.ts";
import { hasInstalled } from "./people/installed-app.ts";
import { invite, startCount } from "./running-count.ts";
import { expect, test } from "./stage.ts";
import { findArticle } from "./stock.ts";

const store = "Linden Quay Harbour Street";
const location = "Sales Floor";

test.use({ stageName: "rfid", installsApp: true });

test("S41, S42, S44: a reader types 24 tags without a pause, half of them without a network, and again: 24 items count, and one in two areas is an exception", async ({
  openPage,
  stage,
}) => {
  const areas = ["A1", "A2"].map((code) => ({ code, name: `Rail ${code}` }));
  const running = await startCount(stage, { store, location, areas });
  const shop = await stage.shop.snapshot();
  const articles = ["M", "L"].map((size) => findArticle(shop, "Tern Tee Chalk", size));
  const tags = Array.from({ length: 24 }, (_each, serial) =>
    epcOf(articles[serial % 2]?.barcode ?? "", serial),
  );
  const counter = new Counter(await openPage({ ...still, viewport: smallScreens[0] }));
  const { link } = await invite(stage, running, { name: "Rafa", email: "rafa@linden-quay.example" });
  await counter.joins(link, "Rafa");
  await hasInstalled(counter.page);
  await counter.startsArea({ store, location, area: "A1" });
  await counter.canScan();
  const reads = async (epcs: readonly string[]) => {
    for (const epc of epcs) await counter.pullsTrigger(epc);
  };

  await reads([...tags.slice(0, 12), ...tags.slice(0, 4)]);
  await expect(counter.itemsScanned).toHaveText("12");
  await expect(counter.banner).toContainText("Already counted");
  expect(await isInTheOpen(counter.itemsScanned)).toBe(true);
  await counter.hasPending(0);

  await counter.goesOffline();
  await reads([...tags.slice(8), ...tags.slice(20)]);
  await expect(counter.itemsScanned).toHaveText("24");
  await counter.hasPending(12);
  await counter.page.reload();
  await counter.canScan();
  await expect(counter.itemsScanned).toHaveText("24");
  await reads(tags.slice(10, 14));
  await expect(counter.banner).toContainText("Already counted");
  await counter.hasPending(12);
  await counter.comesBack();
  expect(await scansOf(running, "A1")).toHaveLength(24);

  await counter.finishesArea(24, "A1");
  await counter.startsArea({ store, location, area: "A2" });
  await counter.canScan();
  await reads(tags.slice(0, 2));
  await expect(counter.banner).toContainText("Already counted in area A1");
  await expect(counter.itemsScanned).toHaveText("0");
  await expectAccessible(counter.page, "a tag of another area", twoAppearances);
  await counter.hasPending(0);
  const { scans } = await running.admin.call(sessionExceptions, { params: { id: running.sessionId } });
  expect(scans).toMatchObject([0, 1].map(() => ({ reason: "TAG_ELSEWHERE", tagCountedIn: { code: "A1" } })));

  const admin = new Admin(await openPage(still));
  await admin.signsIn();
  await admin.page.goto(`/admin/sessions/${running.sessionId}/exceptions`);
  await expect(admin.page.getByText("counts in area A1").first()).toBeVisible();
});
