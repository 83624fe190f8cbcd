import {
  atMostDiffering,
  type ControlSample,
  finishArea,
  reopenArea,
  resolveScan,
  restorePass,
} from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { areaCodes, SampledScene, unitsOf } from "../testing/sampled-scene.ts";
import { countArea, drawOf, joinAlone, sampleOf } from "../testing/samples.ts";
import { areaRow, codes, countsOf, scan } from "../testing/scene.ts";
import { choose, differencesOf } from "../testing/second-counts.ts";

const scene = new SampledScene();

describe("a finished sample", () => {
  test("says how many areas differ at most, and how many units can lie in them", async () => {
    await scene.control(await drawOf(scene, 5), scene.ben);
    const sample = await sampleOf(scene);
    const areas = atMostDiffering({ areas: 8, drawn: 5, differing: 0 });
    const others = areaCodes.filter((code) => !sample.drawn.some(({ area }) => area.code === code));
    const worst = others.map(unitsOf).sort((one, other) => other - one);
    const units = worst.slice(0, areas).reduce((sum, each) => sum + each, 0);
    expect(sample).toMatchObject({ status: "finished", areas: 8, units: 28, counted: 5, differing: 0 });
    expect(sample).toMatchObject({ notClosed: 0, countedTwice: 0 });
    expect(sample.atMost).toEqual({ areas, units });
    expect(await countsOf(scene)).toEqual({ [codes.jacketS.sku]: 28 });
  });

  test("counts an area as different where the first count is not what it is settled as, and until it is settled", async () => {
    const drawn = await drawOf(scene, 5);
    await scene.control(drawn, scene.ben, 1);
    expect(await sampleOf(scene)).toMatchObject({
      status: "counting",
      counted: 5,
      differing: 1,
      atMost: null,
    });
    const code = drawn.drawn[0]?.area.code ?? "";
    await countArea(scene, await joinAlone(scene, "Cleo"), code, unitsOf(code) + 1);
    const sample = await sampleOf(scene);
    expect(sample).toMatchObject({ status: "finished", differing: 1, differingUnits: unitsOf(code) });
    expect(sample.atMost?.areas).toBe(atMostDiffering({ areas: 8, drawn: 5, differing: 1 }));
  });

  test("is not wrong where a third count agrees with the first", async () => {
    const drawn = await drawOf(scene, 5);
    await scene.control(drawn, scene.ben, 1);
    const code = drawn.drawn[0]?.area.code ?? "";
    await countArea(scene, await joinAlone(scene, "Cleo"), code, unitsOf(code));
    expect(await sampleOf(scene)).toMatchObject({ status: "finished", differing: 0 });
  });

  test("counts an area as different where the control count has a code without a product that the first has not", async () => {
    const { drawn } = await drawOf(scene, 3);
    for (const [index, { area }] of drawn.entries()) {
      await countArea(
        scene,
        scene.ben,
        area.code,
        unitsOf(area.code),
        index === 0 ? [codes.unknown.input] : [],
      );
    }
    expect(await sampleOf(scene)).toMatchObject({ status: "finished", differing: 1 });
  });

  test("leaves out and names what sold before the third count, by which the first seems right", async () => {
    const drawn = await drawOf(scene, 5);
    const { sku } = codes.jacketS;
    await scene.control(drawn, scene.ben, 1);
    await scene.sellOne(sku);
    const code = drawn.drawn[0]?.area.code ?? "";
    await countArea(scene, await joinAlone(scene, "Cleo"), code, unitsOf(code));
    const { excluded, differing } = await sampleOf(scene);
    expect(differing).toBe(0);
    expect(excluded).toContainEqual({ sku, productTitle: "Jacket", size: "S", areaCode: code });
  });

  test("leaves out and names what sold between the two counts", async () => {
    const drawn = await drawOf(scene, 5);
    const { sku } = codes.jacketS;
    await scene.sellOne(sku);
    await scene.control(drawn, scene.ben, 1);
    const code = drawn.drawn[0]?.area.code ?? "";
    await countArea(scene, await joinAlone(scene, "Cleo"), code, unitsOf(code) + 1);
    const sample = await sampleOf(scene);
    expect(sample).toMatchObject({ status: "finished", differing: 0 });
    expect(sample.excluded).toContainEqual({ sku, productTitle: "Jacket", size: "S", areaCode: code });
  });
});

describe("what a finished sample found stays what it was", () => {
  const codesOf = (index: number) => (index === 0 ? [codes.unknown.input] : []);

  async function reopenAndRestore({ area }: ControlSample["drawn"][number]): Promise<void> {
    const { pass } = await areaRow(scene, area.code);
    await scene.server.admin.call(reopenArea, { body: { areaId: area._id, eraseScans: true } });
    await scene.server.admin.call(restorePass, { body: { areaId: area._id, pass } });
  }

  test("where an area that differed is reopened and its count restored", async () => {
    const { drawn } = await drawOf(scene, 5);
    const [differing] = drawn;
    for (const [index, { area }] of drawn.entries()) {
      await countArea(
        scene,
        scene.ben,
        area.code,
        unitsOf(area.code) + (index === 0 ? 1 : 0),
        codesOf(index - 1),
      );
    }
    const code = differing?.area.code ?? "";
    await countArea(scene, await joinAlone(scene, "Cleo"), code, unitsOf(code) + 1);
    const found = await sampleOf(scene);
    expect(found).toMatchObject({ status: "finished", differing: 2 });
    for (const area of drawn.slice(0, 2)) await reopenAndRestore(area);
    expect(await sampleOf(scene)).toEqual(found);
  });

  test.each([
    [3, "first"],
    [-2, "first"],
    [-3, "first"],
    [1, "first"],
    [1, "second"],
  ] as const)(
    "where the first count was wrong by %i, its area is counted on, and the %s is chosen then",
    async (by, choice) => {
      const { drawn } = await drawOf(scene, 8);
      const code = "A4";
      for (const { area } of drawn) {
        await countArea(scene, scene.ben, area.code, unitsOf(area.code) + (area.code === code ? by : 0));
      }
      await countArea(scene, await joinAlone(scene, "Cleo"), code, unitsOf(code) + by);
      const found = await sampleOf(scene);
      expect(found).toMatchObject({ status: "finished", differing: 1, differingUnits: unitsOf(code) });
      const area = drawn.find((each) => each.area.code === code);
      if (area === undefined) throw new Error("The area was not drawn.");
      await reopenAndRestore(area);
      const dora = await joinAlone(scene, "Dora");
      const { pass } = await areaRow(scene, code);
      const inArea = { areaCode: code, pass, deviceId: "device-of-Dora" };
      await scan(scene, { ...inArea, seq: 1 }, dora.api);
      const { _id: sessionId } = scene.session;
      const body = {
        ...inArea,
        sessionId,
        locationId: scene.store.locationId,
        declaredTotal: unitsOf(code) + by + 1,
      };
      expect(await dora.api.call(finishArea, { body })).toMatchObject({ matched: true });
      expect(await sampleOf(scene)).toEqual(found);
      const [open] = await differencesOf(scene);
      if (open === undefined) throw new Error("Nothing is in question.");
      expect(await choose(scene, open, choice)).toMatchObject({ status: 200 });
      expect(await sampleOf(scene)).toEqual(found);
    },
  );

  test.each(["accept", "dismiss"] as const)(
    "where a code that both counts had is decided since: %s",
    async (action) => {
      const { sku } = codes.jacketS;
      await scene.server.admin.call(reopenArea, {
        body: { areaId: scene.store.areas[0]?.id ?? "", eraseScans: true },
      });
      await countArea(scene, scene.ada, "A1", 2, [codes.unknown.input]);
      const { drawn } = await drawOf(scene, 8);
      for (const { area } of drawn) {
        const isThat = area.code === "A1";
        await countArea(
          scene,
          scene.ben,
          area.code,
          isThat ? 2 : unitsOf(area.code),
          isThat ? [codes.unknown.input] : [],
        );
      }
      expect(await sampleOf(scene)).toMatchObject({ status: "finished", differing: 0 });
      const scanIds = await unresolvedScans();
      expect(scanIds).toHaveLength(1);
      for (const id of scanIds) {
        await scene.server.admin.call(resolveScan, {
          params: { id },
          body: action === "accept" ? { action, sku } : { action },
        });
      }
      expect(await sampleOf(scene)).toMatchObject({ status: "finished", differing: 0 });
    },
  );

  async function unresolvedScans(): Promise<string[]> {
    const scans = await scene.server.database.database
      .selectFrom("scans")
      .select("id")
      .where("sessionId", "=", scene.session._id)
      .where("status", "=", "unresolved")
      .execute();
    return scans.map(({ id }) => String(id));
  }
});
