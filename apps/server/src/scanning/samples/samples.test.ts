import { createHash, createHmac } from "node:crypto";
import {
  atMostDiffering,
  type ControlSample,
  cancelSecondCount,
  endSession,
  listAreas,
  listAudit,
  reopenArea,
  resolveScan,
  restorePass,
  sampledAreas,
} from "@stocktake/contract";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditRoutes } from "../../audit/audit.ts";
import type { TestCounter } from "../../testing/scenes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { countArea, drawAnyway, drawOf, joinAlone, sampleOf, samplesOf, voidOf } from "../testing/samples.ts";
import {
  areaRow,
  type CountingScene,
  clearAway,
  codes,
  countingSlices,
  countsOf,
  expectTotalsToMatchScans,
  startCounting,
} from "../testing/scene.ts";

const areaCodes = ["A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8"];
/** Units of small jackets in each area. */
const shelf = [0, 1, 2, 3, 4, 5, 6, 7];
const unitsOf = (code: string) => shelf[areaCodes.indexOf(code)] ?? 0;

let server: TestServer;
let scene: CountingScene;
let ada: TestCounter;
let ben: TestCounter;
beforeAll(async () => {
  server = await startTestServer({ slices: [...countingSlices, auditRoutes] });
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await startCounting(server, { areaCodes });
  ada = await joinAlone(scene, "Ada");
  ben = await joinAlone(scene, "Ben");
  for (const code of areaCodes) await countArea(scene, ada, code, unitsOf(code));
});
afterEach(async () => {
  await expectTotalsToMatchScans(server.database.database);
  await clearAway(server);
});

/** Counts every area that was drawn, with so many units more in the first of them. */
async function control(sample: ControlSample, counter: TestCounter, more = 0): Promise<void> {
  for (const [index, { area }] of sample.drawn.entries()) {
    await countArea(scene, counter, area.code, unitsOf(area.code) + (index === 0 ? more : 0));
  }
}

/** Shopify says that one of a SKU is gone. */
async function sellOne(sku: string): Promise<void> {
  await sql`
    insert into stock_readings (session_id, sku, read_at, on_hand, touched)
    select session_id, sku, now(), start_on_hand - 1, true from session_items
    where session_id = ${scene.session._id} and sku = ${sku}`.execute(server.database.database);
}

async function auditOf(action: string) {
  const { entries } = await server.admin.call(listAudit, { query: { sessionId: scene.session._id } });
  return entries.filter((entry) => entry.action === action);
}

const sha256 = (hex: string) => createHash("sha256").update(Buffer.from(hex, "hex")).digest("hex");

describe("a draw", () => {
  test("is by a seed whose hash is in the audit log since the session's start, and anybody can repeat it", async () => {
    const [started] = await auditOf("session.started");
    const { commitment } = await samplesOf(scene);
    expect(commitment).toEqual({
      hash: started?.after?.sampleSeedHash,
      committedAt: expect.any(String),
      closedAreas: 0,
    });
    const sample = await drawOf(scene, 3);
    expect(sha256(sample.seed)).toBe(commitment?.hash);
    const params = { id: scene.session._id, number: "1" };
    const { areas } = await server.admin.call(sampledAreas, { params });
    const rank = (id: string) =>
      createHmac("sha256", Buffer.from(sample.seed, "hex")).update(id, "utf8").digest().toString("hex");
    const ranked = areas.map(({ area }) => area._id).sort((a, b) => rank(a).localeCompare(rank(b), "en"));
    const drawn = areas.filter((each) => each.drawn).map(({ area }) => area._id);
    expect(new Set(drawn)).toEqual(new Set(ranked.slice(0, 3)));
    const [entry] = await auditOf("sample.drawn");
    expect(entry?.after).toMatchObject({ number: 1, seed: sample.seed, areas: 8, reason: null });
    const list = areas.map(({ area }) => area._id).join("\n");
    expect(entry?.after?.areasHash).toBe(createHash("sha256").update(list).digest("hex"));
  });

  test("of areas that others see as any to be counted, and whoever counted them as closed", async () => {
    const { drawn } = await drawOf(scene, 2);
    const openTo = async ({ api }: TestCounter) => {
      const { areas } = await api.call(listAreas, {});
      return areas.filter(({ status }) => status !== "closed").map(({ _id }) => _id);
    };
    expect(await openTo(ada)).toEqual([]);
    expect(new Set(await openTo(ben))).toEqual(new Set(drawn.map(({ area }) => area._id)));
  });

  test("takes closed areas alone that were not counted twice, and no more than there are", async () => {
    expect(await drawAnyway(scene, 9)).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
    await drawOf(scene, 8);
    await control(await sampleOf(scene), ben);
    expect((await samplesOf(scene)).available).toBe(0);
    expect(await drawAnyway(scene, 1, "Once more")).toMatchObject({
      status: 400,
      body: { error: "No area can be drawn: none is closed that was not counted twice already." },
    });
  });
});

test("of two draws at the same time one is made", async () => {
  const answers = await Promise.all([drawAnyway(scene, 2), drawAnyway(scene, 2)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect((await samplesOf(scene)).samples).toHaveLength(1);
});

describe("a finished sample", () => {
  test("says how many areas differ at most, and how many units can lie in them", async () => {
    await control(await drawOf(scene, 5), ben);
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
    await control(drawn, ben, 1);
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
    await control(drawn, ben, 1);
    const code = drawn.drawn[0]?.area.code ?? "";
    await countArea(scene, await joinAlone(scene, "Cleo"), code, unitsOf(code));
    expect(await sampleOf(scene)).toMatchObject({ status: "finished", differing: 0 });
  });

  test("counts an area as different where the control count has a code without a product that the first has not", async () => {
    const { drawn } = await drawOf(scene, 3);
    for (const [index, { area }] of drawn.entries()) {
      await countArea(scene, ben, area.code, unitsOf(area.code), index === 0 ? [codes.unknown.input] : []);
    }
    expect(await sampleOf(scene)).toMatchObject({ status: "finished", differing: 1 });
  });

  test("leaves out and names what sold before the third count, by which the first seems right", async () => {
    const drawn = await drawOf(scene, 5);
    const { sku } = codes.jacketS;
    await control(drawn, ben, 1);
    await sellOne(sku);
    const code = drawn.drawn[0]?.area.code ?? "";
    await countArea(scene, await joinAlone(scene, "Cleo"), code, unitsOf(code));
    const { excluded, differing } = await sampleOf(scene);
    expect(differing).toBe(0);
    expect(excluded).toContainEqual({ sku, productTitle: "Jacket", size: "S", areaCode: code });
  });

  test("leaves out and names what sold between the two counts", async () => {
    const drawn = await drawOf(scene, 5);
    const { sku } = codes.jacketS;
    await sellOne(sku);
    await control(drawn, ben, 1);
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
    await server.admin.call(reopenArea, { body: { areaId: area._id, eraseScans: true } });
    await server.admin.call(restorePass, { body: { areaId: area._id, pass } });
  }

  test("where an area that differed is reopened and its count restored", async () => {
    const { drawn } = await drawOf(scene, 5);
    const [differing] = drawn;
    for (const [index, { area }] of drawn.entries()) {
      await countArea(scene, ben, area.code, unitsOf(area.code) + (index === 0 ? 1 : 0), codesOf(index - 1));
    }
    const code = differing?.area.code ?? "";
    await countArea(scene, await joinAlone(scene, "Cleo"), code, unitsOf(code) + 1);
    const found = await sampleOf(scene);
    expect(found).toMatchObject({ status: "finished", differing: 2 });
    for (const area of drawn.slice(0, 2)) await reopenAndRestore(area);
    expect(await sampleOf(scene)).toEqual(found);
  });

  test.each(["accept", "dismiss"] as const)(
    "where a code that both counts had is decided since: %s",
    async (action) => {
      const { sku } = codes.jacketS;
      await server.admin.call(reopenArea, {
        body: { areaId: scene.store.areas[0]?.id ?? "", eraseScans: true },
      });
      await countArea(scene, ada, "A1", 2, [codes.unknown.input]);
      const { drawn } = await drawOf(scene, 8);
      for (const { area } of drawn) {
        const isThat = area.code === "A1";
        await countArea(
          scene,
          ben,
          area.code,
          isThat ? 2 : unitsOf(area.code),
          isThat ? [codes.unknown.input] : [],
        );
      }
      expect(await sampleOf(scene)).toMatchObject({ status: "finished", differing: 0 });
      const scanIds = await unresolvedScans();
      expect(scanIds).toHaveLength(1);
      for (const id of scanIds) {
        await server.admin.call(resolveScan, {
          params: { id },
          body: action === "accept" ? { action, sku } : { action },
        });
      }
      expect(await sampleOf(scene)).toMatchObject({ status: "finished", differing: 0 });
    },
  );

  async function unresolvedScans(): Promise<string[]> {
    const scans = await server.database.database
      .selectFrom("scans")
      .select("id")
      .where("sessionId", "=", scene.session._id)
      .where("status", "=", "unresolved")
      .execute();
    return scans.map(({ id }) => String(id));
  }
});

describe("a sample is finished or void", () => {
  test("so none of its counts can be cancelled, and nothing else is drawn before", async () => {
    const { drawn } = await drawOf(scene, 2);
    const body = { areaId: drawn[0]?.area._id ?? "" };
    const open = { status: 409, body: { code: "SAMPLE_OPEN" } };
    expect(await server.admin.send(cancelSecondCount, { body })).toMatchObject(open);
    expect(await drawAnyway(scene, 1, "I do not like it")).toMatchObject(open);
  });

  test("void it ends its open counts, stays to be seen with what it found, and the next one says why", async () => {
    const first = await drawOf(scene, 3);
    const [counted] = first.drawn;
    await countArea(scene, ben, counted?.area.code ?? "", unitsOf(counted?.area.code ?? "") + 1);
    expect((await voidOf(scene, 1)).status).toBe(200);
    expect(await voidOf(scene, 1)).toMatchObject({ status: 409, body: { code: "SAMPLE_OVER" } });
    expect(await drawAnyway(scene, 2)).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
    const second = await drawOf(scene, 2, "Ben went home");
    expect(second).toMatchObject({
      ...{ number: 2, reason: "Ben went home", areas: 7, notClosed: 0, countedTwice: 1 },
    });
    expect(sha256(second.seed)).toBe(first.seed);
    const { samples } = await samplesOf(scene);
    expect(samples).toMatchObject([
      {
        number: 1,
        status: "void",
        voidReason: "Nobody is left to count",
        counted: 1,
        differing: 1,
        atMost: null,
      },
      { number: 2, status: "counting" },
    ]);
    expect(await auditOf("sample.voided")).toMatchObject([
      {
        before: { number: 1, drawn: 3, counted: 1, differing: 1 },
        after: { reason: "Nobody is left to count" },
      },
    ]);
  });

  test("void by itself where an area of it is counted anew; the other counts are second counts like any", async () => {
    const { drawn } = await drawOf(scene, 2);
    const [one, other] = drawn;
    const areaId = one?.area._id ?? "";
    await server.admin.call(reopenArea, { body: { areaId, eraseScans: true } });
    expect(await sampleOf(scene)).toMatchObject({
      status: "void",
      voidedBy: null,
      voidReason: expect.stringContaining("was counted anew"),
    });
    const body = { areaId: other?.area._id ?? "" };
    expect((await server.admin.send(cancelSecondCount, { body })).status).toBe(200);
    expect((await drawOf(scene, 1, "A1 was reopened")).number).toBe(2);
  });

  test("void where the session ends before; finished it stays what it was", async () => {
    await control(await drawOf(scene, 2), ben);
    await drawOf(scene, 2, "Two more");
    await server.admin.call(endSession, { body: { sessionId: scene.session._id } });
    const { samples } = await samplesOf(scene);
    expect(samples.map(({ status }) => status)).toEqual(["finished", "void"]);
    expect(samples[1]?.voidReason).toContain("The session ended");
    expect(await drawAnyway(scene, 1, "Too late")).toMatchObject({ body: { code: "SESSION_CLOSED" } });
  });
});

test("where the secret is gone, as after a restore, another is committed, and everybody sees when that was", async () => {
  await sql`delete from sample_secrets`.execute(server.database.database);
  const { commitment, seed } = await drawOf(scene, 2);
  expect(commitment).toMatchObject({ closedAreas: 8, hash: sha256(seed) });
  expect(await auditOf("sample.committed")).toMatchObject([
    { after: { hash: commitment.hash, closedAreas: 8 } },
  ]);
  const [started] = await auditOf("session.started");
  expect(started?.after?.sampleSeedHash).not.toBe(commitment.hash);
});
