import {
  adjustCount,
  deployReport,
  endSession,
  finishArea,
  type ReportItem,
  resolveScan,
  type SessionScope,
  varianceReport,
} from "@stocktake/contract";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  type CountingScene,
  clearAway,
  codes,
  firstArea,
  scan,
  scanTimes,
  startCounting,
} from "../scanning/testing/scene.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet } from "../testing/test-shop.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
afterEach(async () => {
  await clearAway(server);
  await server.shop.reset();
});

const onHand = 7;

/** The small jacket is deleted in the shop and made anew, with as many as there were, under a SKU and a barcode. */
async function replaceJacket({ sku, barcode }: { readonly sku: string; readonly barcode: string | null }) {
  await server.shop.deleteVariant({ item: codes.jacketS.sku });
  await server.shop.addProduct({
    title: "Jacket once more",
    variants: [{ sku, barcode, unitCost: "12.40", stock: [{ available: onHand }] }],
  });
  await server.context.catalogue.refresh();
}

async function itemOf({ session }: CountingScene, barcode: string): Promise<string> {
  const { inventoryItemId } = await server.database.database
    .selectFrom("sessionItems")
    .select("inventoryItemId")
    .where("sessionId", "=", session._id)
    .where("barcode", "=", barcode)
    .executeTakeFirstOrThrow();
  return inventoryItemId;
}

/** Closes the one area of the store by its total, and ends the session. */
async function end(scene: CountingScene, total: number): Promise<void> {
  const body = { ...firstArea(scene), deviceId: "device-1", declaredTotal: total };
  await scene.counter.api.call(finishArea, { body });
  await server.admin.call(endSession, { body: { sessionId: scene.session._id } });
}

async function rows({ session }: CountingScene): Promise<readonly ReportItem[]> {
  const params = { sessionId: session._id };
  const [all, varying] = await Promise.all(
    (["all", "variances"] as const).map((view) =>
      server.admin.call(varianceReport, { params, query: { view } }),
    ),
  );
  expect(varying?.summary).toEqual(all?.summary);
  return all?.items.filter(({ productTitle }) => productTitle.startsWith("Jacket")) ?? [];
}

/** On hand of what nobody counted, but for the jackets that were made anew. */
const unitsOfOthers = 26;

async function deploy({ session }: CountingScene, confirmUnits = unitsOfOthers): Promise<void> {
  await server.admin.call(deployReport, { params: { sessionId: session._id }, body: { confirmUnits } });
}

const start = (scope: SessionScope = "full") =>
  startCounting(server, { shopifyLocation: highStreet, areaCodes: ["A1"] }, scope);

describe("a product that was counted, and is deleted and made anew while the session counts", () => {
  test.each([
    ["under the same SKU", { sku: "JK-1000", barcode: null }],
    ["under another SKU with its barcode", { sku: "JK-NEW", barcode: codes.jacketS.input }],
  ])("%s is not set to zero as what nobody counted", async (_how, replacement) => {
    const scene = await start();
    await scanTimes(scene, onHand);
    await replaceJacket(replacement);
    await end(scene, onHand);
    const shown = (await rows(scene)).filter(({ uncertain }) => uncertain !== null);
    expect(
      shown.map(({ counted, endOnHand, uncertain, skipReason }) => [
        counted,
        endOnHand,
        uncertain,
        skipReason,
      ]),
    ).toEqual(
      expect.arrayContaining([
        [onHand, 0, "REPLACED_IN_SHOP", "DELETED"],
        [0, onHand, "REPLACED_IN_SHOP", "REPLACED_IN_SHOP"],
      ]),
    );
    expect(shown).toHaveLength(2);
    await deploy(scene);
    expect((await server.shop.stock({ item: replacement.sku, location: highStreet })).on_hand).toBe(onHand);
  });

  test("is deployed by what an administrator counts of it", async () => {
    const scene = await start();
    await scanTimes(scene, onHand);
    await replaceJacket({ sku: "JK-1000", barcode: null });
    await end(scene, onHand);
    const anew = (await rows(scene)).find(({ skipReason }) => skipReason === "REPLACED_IN_SHOP");
    const body = { sku: anew?.sku ?? "", newCount: onHand - 1 };
    await server.admin.call(adjustCount, { params: { sessionId: scene.session._id }, body });
    const [corrected] = (await rows(scene)).filter(({ sku }) => sku === anew?.sku);
    expect(corrected).toMatchObject({ uncertain: null, skipReason: null, wouldMove: -1 });
  });

  test("is as certain as any other where nobody had counted what has gone", async () => {
    const scene = await start();
    await replaceJacket({ sku: "JK-NEW", barcode: codes.jacketS.input });
    await scanTimes(scene, 1, { input: codes.jacketM.input });
    await end(scene, 1);
    expect((await rows(scene)).map(({ sku, uncertain }) => [sku, uncertain])).toEqual(
      expect.arrayContaining([
        ["JK-NEW", null],
        ["JK-1001", null],
      ]),
    );
  });

  test("is not taken for another that has no SKU either", async () => {
    await server.shop.addProduct({
      title: "Jacket without a SKU",
      variants: [{ sku: null, barcode: "NO-SKU-1", stock: [{ available: onHand }] }],
    });
    const scene = await start();
    await scanTimes(scene, onHand, { input: "NO-SKU-1" });
    await server.shop.deleteVariant({ item: await itemOf(scene, "NO-SKU-1") });
    await server.shop.addProduct({
      title: "Jacket of another kind",
      variants: [{ sku: null, barcode: "NO-SKU-2", stock: [{ available: 3 }] }],
    });
    await server.context.catalogue.refresh();
    await end(scene, onHand);
    const shown = (await rows(scene)).filter(({ sku }) => sku.startsWith("#"));
    expect(shown.map(({ counted, endOnHand, uncertain }) => [counted, endOnHand, uncertain])).toEqual(
      expect.arrayContaining([
        [onHand, 0, null],
        [0, 3, null],
      ]),
    );
  });
});

const { jacketS, jacketM } = codes;
/** On hand of the medium jacket. */
const onHandM = 8;

const changeCode = (item: string, barcode: string | null) =>
  server.shop.changeVariant({ item, change: { barcode } });
const stockOf = async (item: string) => (await server.shop.stock({ item, location: highStreet })).on_hand;
const setStock = (item: string, available: number) =>
  server.shop.setStock({ item, location: highStreet, quantities: { available, committed: 0 } });

/** The small jacket was entered twice: it is deleted, and the medium one gets its barcode and its stock. */
async function mergeJackets(): Promise<void> {
  await server.shop.deleteVariant({ item: jacketS.sku });
  await changeCode(jacketM.sku, jacketS.input);
  await setStock(jacketM.sku, onHandM + onHand);
}

/** SKU, counted, on hand at the end, what is uncertain, and why it is not deployed. */
const told = (items: readonly ReportItem[]) =>
  items.map((row) => [row.sku, row.counted, row.endOnHand, row.uncertain, row.skipReason]);

describe("a barcode that goes to another product while the session counts", () => {
  test("with the stock of a duplicate that is merged into it leaves both uncertain", async () => {
    const scene = await start();
    await scanTimes(scene, onHand);
    await mergeJackets();
    await end(scene, onHand);
    expect(told(await rows(scene))).toEqual(
      expect.arrayContaining([
        [jacketS.sku, onHand, 0, "REPLACED_IN_SHOP", "DELETED"],
        [jacketM.sku, 0, onHandM + onHand, "REPLACED_IN_SHOP", "REPLACED_IN_SHOP"],
      ]),
    );
    await deploy(scene, unitsOfOthers - onHandM);
    expect(await stockOf(jacketM.sku)).toBe(onHandM + onHand);
  });

  test("with the stock of a product that goes on without it leaves both uncertain", async () => {
    const scene = await start();
    await scanTimes(scene, onHand);
    await changeCode(jacketS.sku, null);
    await setStock(jacketS.sku, 0);
    await server.shop.addProduct({
      title: "Jacket of the new season",
      variants: [{ sku: "JK-NEW", barcode: jacketS.input, stock: [{ available: onHand }] }],
    });
    await server.context.catalogue.refresh();
    await end(scene, onHand);
    expect(told(await rows(scene))).toEqual(
      expect.arrayContaining([
        [jacketS.sku, onHand, 0, "REPLACED_IN_SHOP", "REPLACED_IN_SHOP"],
        ["JK-NEW", 0, onHand, "REPLACED_IN_SHOP", "REPLACED_IN_SHOP"],
      ]),
    );
    await deploy(scene);
    expect(await stockOf(jacketS.sku)).toBe(0);
    expect(await stockOf("JK-NEW")).toBe(onHand);
  });

  test.each(["full", "partial"] as const)(
    "as two that were swapped are put right leaves both uncertain in a %s count",
    async (scope) => {
      const scene = await start(scope);
      await scanTimes(scene, onHandM);
      await scanTimes(scene, onHand, { input: jacketM.input, seq: 20 });
      await changeCode(jacketS.sku, jacketM.input);
      await changeCode(jacketM.sku, jacketS.input);
      await end(scene, onHand + onHandM);
      expect(told(await rows(scene))).toEqual(
        expect.arrayContaining([
          [jacketS.sku, onHandM, onHand, "REPLACED_IN_SHOP", "REPLACED_IN_SHOP"],
          [jacketM.sku, onHand, onHandM, "REPLACED_IN_SHOP", "REPLACED_IN_SHOP"],
        ]),
      );
      await deploy(scene, unitsOfOthers - onHandM);
      expect([await stockOf(jacketS.sku), await stockOf(jacketM.sku)]).toEqual([onHand, onHandM]);
    },
  );

  test("from one that nobody counted leaves the other's count certain, until a late scan of it is accepted", async () => {
    const scene = await start();
    await scanTimes(scene, onHandM, { input: jacketM.input });
    await mergeJackets();
    await end(scene, onHandM);
    const medium = async () => told((await rows(scene)).filter(({ sku }) => sku === jacketM.sku));
    expect(await medium()).toEqual([[jacketM.sku, onHandM, onHandM + onHand, null, null]]);
    const { scan: late } = await scan(scene, { seq: 30, scannedAt: new Date().toISOString() });
    await server.admin.call(resolveScan, { params: { id: late._id }, body: { action: "accept" } });
    expect(await medium()).toEqual([
      [jacketM.sku, onHandM, onHandM + onHand, "REPLACED_IN_SHOP", "REPLACED_IN_SHOP"],
    ]);
  });
});
