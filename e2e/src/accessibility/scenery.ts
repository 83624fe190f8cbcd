import { createCounter, endSession, resetArea, savePacks } from "@stocktake/contract";
import { countOverApi, invite, type RunningCount, startCount } from "../running-count.ts";
import { once, test as stageTest } from "../stage.ts";
import type { Stage } from "../staging.ts";
import { type Article, findArticle } from "../stock.ts";

export const harbour = "Linden Quay Harbour Street";
const oldMill = "Linden Quay Old Mill";
export const areas = [
  { code: "A1", name: "Tables" },
  { code: "A2", name: "Shelves" },
  { code: "A3", name: "Window" },
];
export const unknownCode = "5012345678900";
export const pack = "5012345678917";
export const permanentCounter = { username: "Greta", password: "counting day" };
/** Has counted in the session that runs: one area was reset since, another is closed. */
export const nils = { name: "Nils", email: "nils@linden-quay.example" };

export interface Scenery {
  /** A session that counts; the counters' screens show it. */
  readonly running: RunningCount;
  readonly ended: RunningCount;
  readonly tee: Article;
}

async function prepareEnded(stage: Stage, tee: Article): Promise<RunningCount> {
  const ended = await startCount(stage, {
    store: oldMill,
    location: "Ground Floor",
    areas,
    scope: "partial",
  });
  const { link } = await invite(stage, ended, { name: "Edda", email: "edda@linden-quay.example" });
  await countOverApi(stage, ended, { link, area: "A1", codes: [tee.barcode, unknownCode], finish: false });
  await countOverApi(stage, ended, { link, area: "A2", codes: [tee.barcode], finish: true });
  await ended.admin.call(endSession, { body: { sessionId: ended.sessionId } });
  return ended;
}

async function prepareRunning(stage: Stage, tee: Article): Promise<RunningCount> {
  const running = await startCount(stage, { store: harbour, location: "Sales Floor", areas });
  const { link } = await invite(stage, running, nils);
  await countOverApi(stage, running, { link, area: "A2", codes: [tee.barcode], finish: false });
  const { sessionId, locationId } = running;
  await running.admin.call(resetArea, { body: { sessionId, locationId, areaCode: "A2" } });
  await countOverApi(stage, running, { link, area: "A3", codes: [tee.barcode], finish: true });
  return running;
}

async function prepare(stage: Stage): Promise<Scenery> {
  const tee = findArticle(await stage.shop.snapshot(), "Tern Tee Chalk", "M");
  const ended = await prepareEnded(stage, tee);
  await ended.admin.call(createCounter, { body: permanentCounter });
  await ended.admin.call(savePacks, { body: { packs: [{ code: pack, sku: tee.sku, units: 12 }] } });
  const running = await prepareRunning(stage, tee);
  return { running, ended, tee };
}

/** With a session that runs and one that has ended, a counter and a pack: something for every screen and dialog. */
export const test = stageTest.extend<{ readonly scenery: Scenery }>({
  scenery: once((stage) => prepare(stage)),
});
