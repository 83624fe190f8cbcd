import { randomUUID } from "node:crypto";
import { areaScans, limits, listPacks, postScan, productMap, savePacks, undoScan } from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { finishFirstArea } from "../testing/endings.ts";
import { codes, countInEachTest, firstArea, scan, scanBody } from "../testing/scene.ts";

const scene = countInEachTest();
const dozen = { code: "5012345678900", sku: codes.jacketS.sku, units: 12 };

const save = (packs: readonly { code: string; sku: string; units: number }[]) =>
  scene.server.admin.send(savePacks, { body: { packs: [...packs] } });

const scansOfArea = async () =>
  (
    await scene.counter.api.call(areaScans, {
      params: { sessionId: scene.session._id, areaCode: "A1" },
      query: {},
    })
  ).scans;

describe("a scan of a pack", () => {
  test("S35: counts its units, also with zeros before its code, and is undone as a whole", async () => {
    await save([dozen]);
    const first = await scan(scene, { seq: 1, input: dozen.code });
    expect(first).toMatchObject({ status: "counted", scan: { sku: "JK-1000", quantity: 12 } });
    expect(await scan(scene, { seq: 2, input: `0${dozen.code}` })).toMatchObject({ scan: { quantity: 12 } });
    await scan(scene, { seq: 3 });
    expect((await scansOfArea()).map(({ quantity }) => quantity)).toEqual([1, 12, 12]);
    const body = { ...firstArea(scene), deviceId: "device-1", seq: 2 };
    expect(await scene.counter.api.call(undoScan, { body })).toMatchObject({ undone: { quantity: 12 } });
    expect(await finishFirstArea(scene, 13)).toEqual({ matched: true, serverTotal: 13 });
  });

  test("S35: is one scan however often it is sent, with and without an operation id, whatever the pack holds by then", async () => {
    await save([dozen]);
    const opId = randomUUID();
    const sent = { input: dozen.code, scannedAt: "2026-03-01T10:00:00.000Z" };
    await scan(scene, { ...sent, seq: 1, opId });
    await scan(scene, { ...sent, seq: 2 });
    await save([{ ...dozen, units: 10 }]);
    for (const again of [{ seq: 1, opId }, { seq: 2 }]) {
      expect(await scan(scene, { ...sent, ...again })).toMatchObject({
        duplicate: true,
        scan: { quantity: 12 },
      });
    }
    expect(await scan(scene, { ...sent, seq: 3 })).toMatchObject({ scan: { quantity: 10 } });
  });

  test("S35: is as many units as one scan may be at most, and refused with more", async () => {
    const units = 9;
    await save([{ ...dozen, units }]);
    const most = limits.scanQuantity / units;
    expect(await scan(scene, { seq: 1, input: dozen.code, quantity: most })).toMatchObject({
      ...{ status: "counted", scan: { quantity: limits.scanQuantity } },
    });
    const body = scanBody(scene, { seq: 2, input: dozen.code, quantity: most + 1 });
    const message = "So many of these packs are more than 9,999 units. Scan fewer at a time.";
    expect(await scene.counter.api.refusal(postScan, { body })).toMatchObject({
      ...{ status: 400, code: "VALIDATION", details: [{ field: "quantity", message }] },
    });
  });

  test("is unknown before its code is kept and after it was taken out", async () => {
    await save([{ ...dozen, units: 0 }]);
    expect(await scan(scene, { seq: 1, input: dozen.code })).toMatchObject({ status: "unresolved" });
    await save([dozen]);
    expect(await scan(scene, { seq: 2, input: dozen.code })).toMatchObject({ status: "counted" });
    expect((await save([{ ...dozen, units: 0 }])).body).toEqual({ added: 0, changed: 0, removed: 1 });
    expect(await scan(scene, { seq: 3, input: dozen.code })).toMatchObject({ status: "unresolved" });
  });

  test("S35: gives way to a product that gets the code later, and the list says so", async () => {
    await save([{ code: "LATER", sku: codes.jacketS.sku, units: 6 }]);
    await scene.server.database.pool.query(
      "update catalogue_items set barcode = 'LATER' where sku = 'JK-1001'",
    );
    const { packs } = await scene.server.admin.call(listPacks, {});
    expect(packs.find(({ code }) => code === "LATER")).toMatchObject({
      ...{ sku: "JK-1000", units: 6, productTitle: "Jacket", ownCodeOf: ["JK-1001"], changedBy: "admin" },
    });
    await scene.server.database.pool.query(
      "update session_items set barcode = 'LATER' where sku = 'JK-1001'",
    );
    await scene.server.database.pool.query("update sessions set catalogue_version = catalogue_version + 1");
    expect(await scan(scene, { input: "LATER" })).toMatchObject({ scan: { sku: "JK-1001", quantity: 1 } });
    await scene.server.database.pool.query("update catalogue_items set barcode = $1 where sku = 'JK-1001'", [
      codes.jacketM.input,
    ]);
    await save([{ code: "LATER", sku: codes.jacketS.sku, units: 0 }]);
  });

  test("reaches the devices with the products, under another ETag", async () => {
    await save([{ ...dozen, units: 0 }]);
    const map = () => scene.counter.api.call(productMap, { query: { storeId: scene.store.id } });
    const before = await map();
    expect(before.packs).not.toContainEqual(dozen);
    await save([dozen]);
    const after = await map();
    expect(after.packs).toContainEqual(dozen);
    expect(after.etag).not.toBe(before.etag);
  });
});

describe("codes of packs", () => {
  test("are refused where a product has them as its own, however they are read, and then none is saved", async () => {
    const clash = [codes.jacketM.input, `0${codes.jacketM.input}`, "JK-1002", "SCARF", "1002"];
    const { status, body } = await save([
      { ...dozen, code: "NEW" },
      ...clash.slice(0, 1).map((code) => ({ ...dozen, code })),
      ...clash.slice(2).map((code) => ({ ...dozen, code })),
    ]);
    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: "PACK_CODE_TAKEN",
      error: expect.stringContaining(`The code ${codes.jacketM.input} is the own code of JK-1001.`),
      details: [1, 2, 3, 4].map((index) => ({ field: `packs.${index}.code` })),
    });
    const { packs } = await scene.server.admin.call(listPacks, {});
    expect(packs.map(({ code }) => code)).not.toContain("NEW");
  });

  test("are refused of no product, given twice, or with no right number of units", async () => {
    const wrong = [
      [{ ...dozen, sku: "NOBODY" }],
      [dozen, { ...dozen, code: `0${dozen.code}` }],
      [{ ...dozen, units: 10_000 }],
      [{ ...dozen, units: -1 }],
    ];
    for (const packs of wrong) expect(await save(packs)).toMatchObject({ status: 400 });
  });
});
