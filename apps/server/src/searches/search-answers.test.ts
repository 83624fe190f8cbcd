import * as contract from "@stocktake/contract";
import { describe, expect, test } from "vitest";
import { SearchScene, scarves } from "./testing-search-scene.ts";

const scene = new SearchScene();

const seen = async (sku: string, by = scene.ada) => {
  const { items } = await by.api.call(contract.readSearchTask, { ...scene.ofList(1), query: {} });
  return items.find((item) => item.sku === sku);
};

const answered = async () => {
  const query = { sessionId: scene.session._id, action: "search.answered" } as const;
  const { entries } = await scene.admin.call(contract.listAudit, { query });
  return entries.map(({ actor, subject, before, after }) => [actor.name, subject.name, before, after]);
};

describe("an answer", () => {
  test("is kept with who, when and on which device, once, and counts nothing", async () => {
    await scene.create({ every: {} });
    for (const _ of [1, 2]) await scene.say(scene.ada, "JK-1000", "found");
    const item = await scene.item("JK-1000");
    expect(item).toMatchObject({
      state: "found",
      counted: false,
      decision: null,
      lateScanWaits: false,
      movedSince: false,
    });
    const at = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(item?.answers).toEqual([
      { username: "Ada", answer: "found", answeredAt: at, deviceId: "phone of Ada", list: 1 },
    ]);
    const name = "Jacket (JK-1000)";
    expect(await answered()).toEqual([
      ["Ada", name, { answer: null }, { answer: "found", list: 1, device: "phone of Ada" }],
    ]);
  });

  test("says that its device was heard of", async () => {
    await scene.create({ every: {} });
    await scene.scan(scene.ada, "JK-1000");
    await scene.server.database.pool.query(
      "update session_devices set last_seen_at = now() - interval '6 minutes'",
    );
    await scene.say(scene.ada, scarves[0], "found");
    const { devices } = await scene.admin.call(contract.sessionProgress, scene.ofSession);
    expect(devices).toMatchObject([{ deviceId: "phone of Ada" }]);
    expect(Date.now() - Date.parse(devices[0]?.lastSeenAt ?? "")).toBeLessThan(60_000);
  });

  test("can be changed, on another device and another list too", async () => {
    await scene.create({ every: {} });
    await scene.create({ skus: ["JK-1000"] });
    await scene.say(scene.ada, "JK-1000", "found");
    await scene.say(scene.ada, "JK-1000", "not_there", 2, "tablet");
    expect((await scene.item("JK-1000"))?.answers).toMatchObject([
      { answer: "not_there", deviceId: "tablet", list: 2 },
    ]);
    expect(await seen("JK-1000")).toMatchObject({ answer: "not_there", others: [], counted: false });
    expect(await seen("JK-1000", scene.ben)).toMatchObject({
      answer: null,
      others: [{ username: "Ada", answer: "not_there" }],
    });
    expect(await answered()).toHaveLength(2);
  });

  test("that changes on and on is refused in words; the last one stands, and others are heard", async () => {
    await scene.create({ every: {} });
    const answers = ["found", "not_there"] as const;
    for (let given = 0; given < contract.limits.searchAnswers; given += 1)
      await scene.say(scene.ada, "JK-1000", answers[given % 2] ?? "found");
    const body = { sku: "JK-1000", answer: "found" as const, deviceId: "phone" };
    const again = () => scene.ada.api.send(contract.answerSearch, { ...scene.ofList(1), body });
    expect(await again()).toMatchObject({
      ...{
        status: 429,
        body: { code: "RATE_LIMITED", error: expect.stringContaining("tell the administrator") },
      },
    });
    expect(await answered()).toHaveLength(contract.limits.searchAnswers);
    await scene.say(scene.ada, "JK-1000", "not_there");
    await scene.say(scene.ada, "JK-1001", "found");
    await scene.say(scene.ben, "JK-1000", "not_there");
    expect(await scene.stateOf("JK-1000")).toBe("not_there");
    await scene.server.database.pool.query(
      "update search_answers set answered_at = answered_at - interval '61 minutes' where sku = 'JK-1000'",
    );
    expect((await again()).status).toBe(200);
    await scene.say(scene.ada, "JK-1000", "not_there");
  });

  test("is of a SKU of the list alone", async () => {
    await scene.create({ skus: ["JK-1000"] });
    const body = { sku: "JK-1001", answer: "found" as const, deviceId: "phone" };
    const refusal = await scene.ada.api.refusal(contract.answerSearch, { ...scene.ofList(1), body });
    expect(refusal.code).toBe("NOT_FOUND");
  });

  test("gives way to a scan that counts, and comes back where that is undone", async () => {
    await scene.create({ every: {} });
    await scene.say(scene.ada, "JK-1000", "not_there");
    const { scan } = await scene.scan(scene.ben, "JK-1000");
    expect(await seen("JK-1000")).toMatchObject({ counted: true });
    expect(await scene.stateOf("JK-1000")).toBe("overruled");
    const body = {
      ...{ sessionId: scene.session._id, areaCode: "A1", locationId: scene.store.locationId },
      ...{ deviceId: "phone of Ben", seq: scan.seq },
    };
    await scene.ben.api.call(contract.undoScan, { body });
    expect(await scene.stateOf("JK-1000")).toBe("not_there");
  });

  test("after the end is refused in words, and what was said before stands", async () => {
    await scene.create({ every: {} });
    await scene.say(scene.ada, "JK-1000", "not_there");
    await scene.end();
    const body = { sku: "JK-1000", answer: "found" as const, deviceId: "phone" };
    const refusal = await scene.ada.api.refusal(contract.answerSearch, { ...scene.ofList(1), body });
    expect(refusal).toMatchObject({ code: "SESSION_CLOSED", error: expect.stringContaining("was not kept") });
    expect(await scene.stateOf("JK-1000")).toBe("not_there");
  });
});

describe("an answer that arrives late", () => {
  const last = async () => (await scene.item("JK-1000"))?.answers.map(({ answer }) => answer);
  const sayOn = (device: string, answer: contract.SearchAnswer, order?: number) =>
    scene.say(scene.ada, "JK-1000", answer, 1, device, order === undefined ? {} : { answerOrder: order });

  test("changes nothing where the same device has said otherwise since", async () => {
    await scene.create({ every: {} });
    await sayOn("phone", "not_there", 2);
    expect(await sayOn("phone", "found", 1)).toMatchObject({ item: { answer: "not_there" } });
    expect(await last()).toEqual(["not_there"]);
    await sayOn("phone", "found", 3);
    expect(await last()).toEqual(["found"]);
    expect(await answered()).toHaveLength(2);
  });

  test("changes nothing where the device has said the same again since", async () => {
    await scene.create({ every: {} });
    await sayOn("phone", "found", 1);
    await sayOn("phone", "found", 3);
    await sayOn("phone", "not_there", 2);
    expect(await last()).toEqual(["found"]);
  });

  test("is the last word on another device, and of an app that numbers no answers", async () => {
    await scene.create({ every: {} });
    await sayOn("phone", "not_there", 9);
    await sayOn("tablet", "found", 1);
    expect(await last()).toEqual(["found"]);
    await sayOn("tablet", "not_there");
    expect(await last()).toEqual(["not_there"]);
  });

  test("changes nothing where the same was said on another device since, by the numbers of that one", async () => {
    await scene.create({ every: {} });
    await sayOn("phone", "found", 1);
    await sayOn("tablet", "found", 2);
    await sayOn("tablet", "not_there", 1);
    expect(await last()).toEqual(["found"]);
  });

  test("is no second look where it is the same request once more, or an earlier one: what was decided since stands", async () => {
    await scene.create({ every: {} });
    await sayOn("phone", "found", 1);
    await sayOn("phone", "found", 2);
    await scene.say(scene.ben, "JK-1000", "not_there");
    const body = { sku: "JK-1000", answer: "not_there" as const };
    await scene.admin.call(contract.decideSearch, { ...scene.ofSession, body });
    for (const order of [1, 2]) await sayOn("phone", "found", order);
    expect(await scene.stateOf("JK-1000")).toBe("not_there");
    await sayOn("phone", "found", 3);
    expect(await scene.stateOf("JK-1000")).toBe("contradicted");
  });

  test("after the end, or on a list that was taken back, is kept already where it is what was kept, and says so", async () => {
    await scene.create({ every: {} });
    await sayOn("phone", "found", 1);
    await scene.admin.call(contract.withdrawSearch, scene.ofList(1));
    expect(await sayOn("phone", "found", 2)).toMatchObject({ item: { answer: "found" } });
    await scene.end();
    expect(await sayOn("phone", "found", 3)).toMatchObject({ item: { answer: "found" } });
    expect(await answered()).toHaveLength(1);
  });

  test("after the end is refused in words where it is a second look", async () => {
    await scene.create({ every: {} });
    await sayOn("phone", "found", 1);
    await scene.say(scene.ben, "JK-1000", "not_there");
    const body = { sku: "JK-1000", answer: "not_there" as const };
    await scene.admin.call(contract.decideSearch, { ...scene.ofSession, body });
    await scene.end();
    const again = { sku: "JK-1000", answer: "found" as const, deviceId: "phone", answerOrder: 2 };
    const refusal = await scene.ada.api.refusal(contract.answerSearch, { ...scene.ofList(1), body: again });
    expect(refusal).toMatchObject({ code: "SESSION_CLOSED", error: expect.stringContaining("was not kept") });
    expect(await scene.stateOf("JK-1000")).toBe("not_there");
  });
});

describe("answers and the end at the same moment", () => {
  test("each answer is kept or refused, and the report has just those that were kept", async () => {
    await scene.create({ every: {} });
    const skus = ["JK-1000", "JK-1001", "JK-1002", "BELT-1"];
    const ended = scene.end();
    const said = await Promise.all(
      skus.map(async (sku) => {
        const body = { sku, answer: "not_there" as const, deviceId: "phone" };
        const { number, id } = scene.ofList(1).params;
        const address = `/api/session/${id}/search-lists/${number}/answer`;
        const { status } = await scene.ada.api.request("POST", address, { body });
        return { sku, status };
      }),
    );
    await ended;
    for (const { sku, status } of said) {
      expect([200, 409]).toContain(status);
      expect([sku, await scene.stateOf(sku)]).toEqual([sku, status === 200 ? "not_there" : "open"]);
    }
  });
});

describe("two people who say different things", () => {
  test("leave it open until one says otherwise or the administrator decides, which a new answer ends again", async () => {
    await scene.create({ every: {} });
    await scene.say(scene.ada, "JK-1000", "not_there");
    await scene.say(scene.ben, "JK-1000", "found");
    expect(await scene.stateOf("JK-1000")).toBe("contradicted");
    const decide = (answer: contract.SearchAnswer) =>
      scene.admin.call(contract.decideSearch, { ...scene.ofSession, body: { sku: "JK-1000", answer } });
    await decide("not_there");
    expect(await scene.item("JK-1000")).toMatchObject({
      state: "not_there",
      decision: { answer: "not_there", decidedBy: "admin" },
    });
    await scene.say(scene.ada, "JK-1000", "found");
    expect(await scene.item("JK-1000")).toMatchObject({ state: "found", decision: null });
    await scene.say(scene.ada, "JK-1000", "not_there");
    await decide("found");
    await scene.say(scene.ben, "JK-1000", "found");
    expect(await scene.item("JK-1000")).toMatchObject({ state: "found", decision: { answer: "found" } });
  });

  test("are asked again where one finds it once more after it was decided that it is not there", async () => {
    await scene.create({ every: {} });
    await scene.say(scene.ada, "JK-1000", "found");
    await scene.say(scene.ben, "JK-1000", "not_there");
    const body = { sku: "JK-1000", answer: "not_there" as const };
    await scene.admin.call(contract.decideSearch, { ...scene.ofSession, body });
    for (const _ of [1, 2]) await scene.say(scene.ada, "JK-1000", "found");
    expect(await scene.item("JK-1000")).toMatchObject({ state: "contradicted", decision: null });
    const [again, ...before] = await answered();
    expect(again).toMatchObject(["Ada", "Jacket (JK-1000)", { decided: "not_there" }, { answer: "found" }]);
    expect(before).toHaveLength(2);
  });

  test("are not decided by who has not read the last answer, unless just that is decided already", async () => {
    await scene.create({ every: {} });
    await scene.say(scene.ada, "JK-1000", "not_there");
    await scene.say(scene.ben, "JK-1000", "found");
    const read = async () => {
      const { answers = [], decision = null, movedSince = false } = (await scene.item("JK-1000")) ?? {};
      return { answers: [...answers], decision, movedSince };
    };
    const decide = (answer: contract.SearchAnswer, seen: contract.SeenSearch) => ({
      ...scene.ofSession,
      body: { sku: "JK-1000", answer, seen },
    });
    const seen = await read();
    await scene.say(scene.ada, "JK-1000", "found");
    const refusal = await scene.admin.refusal(contract.decideSearch, decide("not_there", seen));
    expect(refusal).toMatchObject({ status: 409, code: "CHANGED_MEANWHILE" });
    expect(refusal.error).toMatch(/^What is known of this product has changed since you read it/);
    expect(await scene.item("JK-1000")).toMatchObject({ state: "found", decision: null });
    const again = await read();
    for (const _ of [1, 2]) await scene.admin.call(contract.decideSearch, decide("not_there", again));
    expect(await scene.stateOf("JK-1000")).toBe("not_there");
    const other = await scene.admin.refusal(contract.decideSearch, decide("found", again));
    expect(other.code).toBe("CHANGED_MEANWHILE");
  });

  test("can be decided after the end, and not of a SKU of which nobody said anything", async () => {
    await scene.create({ every: {} });
    await scene.say(scene.ada, "JK-1000", "not_there");
    await scene.say(scene.ben, "JK-1000", "found");
    await scene.end();
    const decide = (sku: string) => ({ ...scene.ofSession, body: { sku, answer: "not_there" as const } });
    await scene.admin.call(contract.decideSearch, decide("JK-1000"));
    expect(await scene.stateOf("JK-1000")).toBe("not_there");
    expect((await scene.admin.refusal(contract.decideSearch, decide("JK-1001"))).code).toBe("NOT_FOUND");
  });
});
