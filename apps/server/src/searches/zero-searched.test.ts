import * as contract from "@stocktake/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { join, makePermanentCounter } from "../testing/scenes.ts";
import { highStreet } from "../testing/test-shop.ts";
import { SearchScene, scarves } from "./testing-search-scene.ts";

const scene = new SearchScene();

const ofReport = () => ({ params: { sessionId: scene.session._id } });
const preview = () => scene.admin.call(contract.previewDeploy, ofReport());
type Options = NonNullable<contract.CallInput<typeof contract.deployReport>["body"]>;
const deploy = (body: Options = {}) => scene.admin.call(contract.deployReport, { ...ofReport(), body });
const refused = (body: Options = {}) => scene.admin.refusal(contract.deployReport, { ...ofReport(), body });
const onHand = async (item: string) =>
  (await scene.server.shop.stock({ item, location: highStreet })).on_hand;

async function rowOf(sku: string) {
  const query = { view: "all" as const };
  const { items } = await scene.admin.call(contract.varianceReport, { ...ofReport(), query });
  return items.find((item) => item.sku === sku);
}

/** So many are on hand from now on, as the server has read it. */
async function receive(item: string, units: number): Promise<void> {
  await scene.server.shop.receive({ item, location: highStreet, quantity: units - (await onHand(item)) });
  await scene.server.database.pool.query(
    "insert into stock_readings (session_id, sku, read_at, on_hand) values ($1, $2, clock_timestamp(), $3)",
    [scene.session._id, item, units],
  );
}

const jackets = ["JK-1000", "JK-1001", "JK-1002"];

/** Of 33 on hand: 24 jackets looked for and not there by Ada and Ben, and 9 others of which nobody was asked. */
beforeEach(async () => {
  await scene.create({ skus: jackets });
  for (const by of [scene.ada, scene.ben]) for (const sku of jackets) await scene.say(by, sku, "not_there");
});

describe("where areas were left open", () => {
  test("what was searched for and is not there goes to zero without a number, the rest stays", async () => {
    await scene.end();
    const before = await preview();
    expect(before).toMatchObject({ zeroed: "by_choice", totalAdjustments: 0 });
    expect(before.uncounted).toMatchObject({ items: 3, units: 9, confirmUnits: 9 });
    const people = ["Ada", "Ben"].map((username) => ({ username, items: 3 }));
    const figures = { items: 3, units: 24, cost: 297.6, withoutCost: 0 };
    expect(before.searched).toEqual({ ...figures, people, onOneWord: null });
    expect(await deploy({ zeroSearched: true })).toMatchObject({ totalAdjustments: 3, status: "applied" });
    expect([await onHand("JK-1000"), await onHand("BELT-1")]).toEqual([0, 4]);
    const { entries } = await scene.admin.call(contract.listAudit, { query: { action: "deploy.requested" } });
    expect(entries[0]?.after).toMatchObject({ zeroedUnits: 24, zeroSearched: true, searchedUnits: 24 });
  });

  test("a caller who knows nothing of searches leaves it alone, or zeroes all with the number of units", async () => {
    await scene.end();
    expect(await deploy()).toMatchObject({ totalAdjustments: 0 });
    expect(await refused({ zeroUncounted: true })).toMatchObject({
      code: "CONFIRM_ZEROING",
      items: 3,
      units: 9,
    });
    expect((await refused({ zeroUncounted: true, confirmUnits: 24 })).code).toBe("CONFIRM_ZEROING");
    expect(await deploy({ zeroUncounted: true, confirmUnits: 33 })).toMatchObject({ totalAdjustments: 6 });
  });
});

describe("where every area was closed", () => {
  test("the number is that of what nobody searched for", async () => {
    for (const area of ["A1", "A2"]) await scene.close(area);
    await scene.end();
    expect(await preview()).toMatchObject({
      ...{ zeroed: "always", uncounted: { units: 9, confirmUnits: 9 }, searched: { units: 24 } },
    });
    expect(await refused()).toMatchObject({ code: "CONFIRM_ZEROING", items: 3, units: 9 });
    expect(await deploy({ confirmUnits: 9 })).toMatchObject({ totalAdjustments: 6 });
  });

  test("no number is wanted where everything was searched for", async () => {
    await scene.create({ every: {}, itemsPerList: 200 });
    const { items } = await scene.ada.api.call(contract.readSearchTask, { ...scene.ofList(2), query: {} });
    for (const by of [scene.ada, scene.ben])
      for (const { sku } of items) await scene.say(by, sku, "not_there", 2);
    for (const area of ["A1", "A2"]) await scene.close(area);
    await scene.end();
    expect(await deploy()).toMatchObject({ totalAdjustments: 6, status: "applied" });
  });
});

describe("what one temporary counter alone says", () => {
  const rest = ["BELT-1", ...scarves];
  beforeEach(async () => {
    await scene.create({ skus: rest });
  });

  test("goes to zero without a number; the preview says whose word it is, until somebody else says so too", async () => {
    for (const sku of rest) await scene.say(scene.ada, sku, "not_there", 2);
    await scene.end();
    const people = [
      { username: "Ada", items: 6 },
      { username: "Ben", items: 3 },
    ];
    const onOneWord = { items: 3, units: 9, people: [{ username: "Ada", items: 3, units: 9 }] };
    expect((await preview()).searched).toMatchObject({ items: 6, people, onOneWord });
    const body = { sku: "BELT-1", answer: "not_there" as const };
    await scene.admin.call(contract.decideSearch, { ...scene.ofSession, body });
    expect((await preview()).searched).toMatchObject({ items: 6, onOneWord: { items: 2, units: 5 } });
    expect(await deploy({ zeroSearched: true })).toMatchObject({ totalAdjustments: 6 });
  });

  /** The same person on a phone and then on another one. */
  test.each([
    ["the session code", "Eve", ""],
    ["an invitation to the same e-mail", "Ada", "ada@example.com"],
  ])("is one word of one person who came twice by %s: the last", async (_way, name, email) => {
    const first = name === "Ada" ? scene.ada : await join(scene.server, scene.session, { name, email });
    const again = await join(scene.server, scene.session, { name: `${name} (2)`, askedName: name, email });
    for (const sku of rest) await scene.say(first, sku, "found", 2);
    for (const sku of rest) await scene.say(again, sku, "not_there", 2);
    expect(await states()).toEqual(["not_there", "not_there", "not_there"]);
    await scene.say(first, "BELT-1", "found", 2);
    expect(await states()).toEqual(["found", "not_there", "not_there"]);
    for (const by of [again, first]) await scene.say(by, "BELT-1", "not_there", 2);
    await scene.end();
    const onOneWord = { items: 3, units: 9, people: [{ username: name, items: 3, units: 9 }] };
    expect((await preview()).searched).toMatchObject({ onOneWord });
  });

  test.each([
    ["a password", () => makePermanentCounter(scene.server, "maria")],
    ["an invitation", () => join(scene.server, scene.session, { name: "maria", email: "maria@example.com" })],
  ])("is no word of somebody with %s whose name they gave with the session code", async (_way, come) => {
    const maria = await come();
    const stranger = await join(scene.server, scene.session, {
      ...{ name: "Maria (2)", askedName: "Maria", email: "" },
    });
    await scene.say(maria, "BELT-1", "found", 2);
    await scene.say(stranger, "BELT-1", "not_there", 2);
    await scene.say(stranger, rest[1] ?? "", "found", 2);
    await scene.say(maria, rest[1] ?? "", "not_there", 2);
    expect((await states()).slice(0, 2)).toEqual(["contradicted", "contradicted"]);
  });

  test("is no second word where somebody who came by the session code gave the same name", async () => {
    const again = await join(scene.server, scene.session, { name: "Ada (2)", askedName: "Ada", email: "" });
    for (const by of [scene.ada, again]) for (const sku of rest) await scene.say(by, sku, "not_there", 2);
    await scene.end();
    const people = [
      { username: "Ada", items: 6 },
      { username: "Ben", items: 3 },
    ];
    const onOneWord = { items: 3, units: 9, people: [{ username: "Ada", items: 3, units: 9 }] };
    expect((await preview()).searched).toMatchObject({ people, onOneWord });
  });

  test("is contradicted by somebody of another name who came by the session code", async () => {
    const cleo = await join(scene.server, scene.session, { name: "Cleo", email: "" });
    await scene.say(scene.ada, "BELT-1", "found", 2);
    await scene.say(cleo, "BELT-1", "not_there", 2);
    expect((await states())[0]).toBe("contradicted");
  });

  async function states() {
    const { items } = await scene.admin.call(contract.readSearch, { ...scene.ofList(2), query: {} });
    return rest.map((sku) => items.find((item) => item.sku === sku)?.state);
  }
});

describe("what is not zeroed without a number", () => {
  test("is what was found and not scanned, what people say different things of, and what nobody answered", async () => {
    for (const by of [scene.ada, scene.ben]) await scene.say(by, "JK-1000", "found");
    await scene.say(scene.ben, "JK-1001", "found");
    await scene.create({ skus: ["BELT-1"] });
    await scene.end();
    expect((await preview()).searched).toMatchObject({ items: 1, units: 9 });
    expect([
      await rowOf("JK-1000"),
      await rowOf("JK-1001"),
      await rowOf("JK-1002"),
      await rowOf("BELT-1"),
    ]).toMatchObject([
      { search: "found", skipReason: "NOT_COUNTED" },
      { search: "contradicted" },
      { search: "not_there", skipReason: "NOT_COUNTED" },
      { search: "open" },
    ]);
    await deploy({ zeroSearched: true });
    expect([await onHand("JK-1000"), await onHand("JK-1001"), await onHand("JK-1002")]).toEqual([7, 8, 0]);
  });

  test("is what was counted all the same: the count holds, and the row says so", async () => {
    await scene.scan(scene.ben, "JK-1000", 7);
    await scene.end();
    expect(await rowOf("JK-1000")).toMatchObject({ counted: 7, variance: 0, search: "overruled" });
    expect((await preview()).searched).toMatchObject({ items: 2, units: 17 });
    const query = { sku: "JK-1000" };
    const { searched } = await scene.admin.call(contract.explainRow, { ...ofReport(), query });
    expect(searched).toMatchObject({
      state: "overruled",
      answers: ["Ben", "Ada"].map((username) => ({ username, answer: "not_there" })),
    });
  });

  test("is what a late scan speaks for, until that is decided; accepted it is a count", async () => {
    await scene.end();
    const { scan, status } = await scene.scan(scene.ben, "JK-1000", 7);
    expect(status).toBe("late");
    expect(await rowOf("JK-1000")).toMatchObject({ search: "contradicted" });
    expect((await preview()).searched).toMatchObject({ items: 2 });
    const decision = { ...scene.ofSession, body: { sku: "JK-1000", answer: "not_there" as const } };
    await scene.admin.call(contract.decideSearch, decision);
    expect(await rowOf("JK-1000")).toMatchObject({ search: "contradicted" });
    await scene.admin.call(contract.resolveScan, { params: { id: scan._id }, body: { action: "dismiss" } });
    expect(await rowOf("JK-1000")).toMatchObject({ search: "not_there" });
    await scene.admin.call(contract.takeBackDecisions, { ...scene.ofSession, body: { scanIds: [scan._id] } });
    await scene.admin.call(contract.resolveScan, { params: { id: scan._id }, body: { action: "accept" } });
    expect(await rowOf("JK-1000")).toMatchObject({ counted: 7, search: "overruled" });
    await deploy({ zeroSearched: true });
    expect([await onHand("JK-1000"), await onHand("JK-1001")]).toEqual([7, 0]);
  });

  test("is what came in or was sold after somebody had looked, until an administrator decides", async () => {
    const { shop } = scene.server;
    await shop.receive({ item: "JK-1000", location: highStreet, quantity: 5 });
    await shop.sell({ item: "JK-1001", location: highStreet, quantity: 1 });
    await scene.end();
    expect([await rowOf("JK-1000"), await rowOf("JK-1001"), await rowOf("JK-1002")]).toMatchObject([
      { search: "contradicted", endOnHand: 12 },
      { search: "contradicted", endOnHand: 7 },
      { search: "not_there" },
    ]);
    const query = { sku: "JK-1000" };
    const { searched } = await scene.admin.call(contract.explainRow, { ...ofReport(), query });
    expect(searched).toMatchObject({ state: "contradicted", movedSince: true, lateScanWaits: false });
    expect((await preview()).searched).toMatchObject({ items: 1, units: 9 });
    const decision = { ...scene.ofSession, body: { sku: "JK-1001", answer: "not_there" as const } };
    await scene.admin.call(contract.decideSearch, decision);
    expect(await rowOf("JK-1001")).toMatchObject({ search: "not_there" });
    await deploy({ zeroSearched: true });
    expect([await onHand("JK-1000"), await onHand("JK-1001"), await onHand("JK-1002")]).toEqual([12, 0, 0]);
  });

  test("is what came in, until somebody looks once more and says the same again", async () => {
    await receive("JK-1000", 12);
    expect(await scene.stateOf("JK-1000")).toBe("contradicted");
    await scene.say(scene.ada, "JK-1000", "not_there");
    expect(await scene.stateOf("JK-1000")).toBe("not_there");
    await scene.end();
    expect((await preview()).searched).toMatchObject({ items: 3, units: 29 });
  });

  test("is what came in after it was decided, until those who looked look once more; each is heard once", async () => {
    const { ada, ben } = scene;
    const decision = { ...scene.ofSession, body: { sku: "JK-1000", answer: "not_there" as const } };
    await scene.admin.call(contract.decideSearch, decision);
    await receive("JK-1000", 12);
    expect(await scene.stateOf("JK-1000")).toBe("contradicted");
    for (const by of [ada, ben, ada, ben, ada]) await scene.say(by, "JK-1000", "not_there");
    expect(await scene.item("JK-1000")).toMatchObject({ state: "not_there", decision: null });
    const { entries } = await scene.admin.call(contract.listAudit, {
      query: { sessionId: scene.session._id, action: "search.answered" },
    });
    const ofJacket = entries.filter(({ subject }) => subject.name === "Jacket (JK-1000)");
    expect(ofJacket.map(({ actor }) => actor.name)).toEqual(["Ada", "Ben", "Ada"]);
  });

  test("is what came in and was found: saying so again is news only the first time", async () => {
    await receive("JK-1000", 12);
    for (const _ of [1, 2, 3]) await scene.say(scene.ben, "JK-1000", "found");
    const { entries } = await scene.admin.call(contract.listAudit, {
      query: { sessionId: scene.session._id, action: "search.answered" },
    });
    expect(entries.filter(({ after }) => after?.answer === "found")).toHaveLength(1);
  });

  test("is anything of a session that was restored, until it is released", async () => {
    await scene.end();
    await scene.server.database.pool.query(
      "update sessions set restored = true, backup_made_at = now() where id = $1",
      [scene.session._id],
    );
    expect((await refused({ zeroSearched: true })).code).toBe("SESSION_RESTORED");
    expect(await onHand("JK-1000")).toBe(7);
  });

  test("can't be decided any more once the report is deployed", async () => {
    await scene.end();
    await deploy({ zeroSearched: true });
    const decision = { ...scene.ofSession, body: { sku: "JK-1000", answer: "found" as const } };
    expect((await scene.admin.refusal(contract.decideSearch, decision)).code).toBe("REPORT_DEPLOYED");
  });
});
