import { createHash, createHmac } from "node:crypto";
import {
  cancelSecondCount,
  endSession,
  listAreas,
  listAudit,
  reopenArea,
  sampledAreas,
} from "@stocktake/contract";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { TestCounter } from "../../testing/scenes.ts";
import { SampledScene, unitsOf } from "../testing/sampled-scene.ts";
import { countArea, drawAnyway, drawOf, sampleOf, samplesOf, voidOf } from "../testing/samples.ts";

const scene = new SampledScene();

async function auditOf(action: string) {
  const { entries } = await scene.server.admin.call(listAudit, { query: { sessionId: scene.session._id } });
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
    const { areas } = await scene.server.admin.call(sampledAreas, { params });
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
    expect(await openTo(scene.ada)).toEqual([]);
    expect(new Set(await openTo(scene.ben))).toEqual(new Set(drawn.map(({ area }) => area._id)));
  });

  test("takes closed areas alone that were not counted twice, and no more than there are", async () => {
    expect(await drawAnyway(scene, 9)).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
    await drawOf(scene, 8);
    await scene.control(await sampleOf(scene), scene.ben);
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

describe("a sample is finished or void", () => {
  test("so none of its counts can be cancelled, and nothing else is drawn before", async () => {
    const { drawn } = await drawOf(scene, 2);
    const body = { areaId: drawn[0]?.area._id ?? "" };
    const open = { status: 409, body: { code: "SAMPLE_OPEN" } };
    expect(await scene.server.admin.send(cancelSecondCount, { body })).toMatchObject(open);
    expect(await drawAnyway(scene, 1, "I do not like it")).toMatchObject(open);
  });

  test("void it ends its open counts, stays to be seen with what it found, and the next one says why", async () => {
    const first = await drawOf(scene, 3);
    const [counted] = first.drawn;
    await countArea(scene, scene.ben, counted?.area.code ?? "", unitsOf(counted?.area.code ?? "") + 1);
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
    await scene.server.admin.call(reopenArea, { body: { areaId, eraseScans: true } });
    expect(await sampleOf(scene)).toMatchObject({
      status: "void",
      voidedBy: null,
      voidReason: expect.stringContaining("was counted again"),
    });
    const body = { areaId: other?.area._id ?? "" };
    expect((await scene.server.admin.send(cancelSecondCount, { body })).status).toBe(200);
    expect((await drawOf(scene, 1, "A1 was reopened")).number).toBe(2);
  });

  test("void where the session ends before; finished it stays what it was", async () => {
    await scene.control(await drawOf(scene, 2), scene.ben);
    await drawOf(scene, 2, "Two more");
    await scene.server.admin.call(endSession, { body: { sessionId: scene.session._id } });
    const { samples } = await samplesOf(scene);
    expect(samples.map(({ status }) => status)).toEqual(["finished", "void"]);
    expect(samples[1]?.voidReason).toContain("The session ended");
    expect(await drawAnyway(scene, 1, "Too late")).toMatchObject({ body: { code: "SESSION_CLOSED" } });
  });
});

test("where the secret is gone, as after a restore, another is committed, and everybody sees when that was", async () => {
  await sql`delete from sample_secrets`.execute(scene.server.database.database);
  const { commitment, seed } = await drawOf(scene, 2);
  expect(commitment).toMatchObject({ closedAreas: 8, hash: sha256(seed) });
  expect(await auditOf("sample.committed")).toMatchObject([
    { after: { hash: commitment.hash, closedAreas: 8 } },
  ]);
  const [started] = await auditOf("session.started");
  expect(started?.after?.sampleSeedHash).not.toBe(commitment.hash);
});
