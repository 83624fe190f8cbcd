import * as contract from "@stocktake/contract";
import { beforeEach, expect, test } from "vitest";
import { CoverageScene } from "../testing/coverage-scene.ts";

const scene = new CoverageScene({ follows: false });
const admin = () => scene.server.admin;
const none = { units: null, money: null, stockPercent: null, moneyPercent: null };

const list = async (which: "open" | "decided" = "open") =>
  (await admin().call(contract.listBeyondTolerance, { params: scene.params, query: { which } })).rows;
const state = (body: contract.CallInput<typeof contract.stateBeyondTolerance>["body"]) =>
  admin().call(contract.stateBeyondTolerance, { params: scene.params, body });
const adjust = (sku: string, newCount: number) =>
  admin().call(contract.adjustCount, {
    params: { sessionId: scene.session._id },
    body: { sku, newCount, reason: "Looked at" },
  });
const newest = async () => JSON.parse((await scene.versions())[0]?.text ?? "{}");

/** More than two units short is beyond tolerance, and nothing that is over; of 7 jackets one is counted, of 8 all, of 9 two. */
beforeEach(async () => {
  await admin().call(contract.setSessionTolerance, {
    params: scene.params,
    body: { tolerance: { over: none, short: { ...none, units: 2 } } },
  });
  await scene.countAgain(
    "A1",
    new Map([
      ["JK-1000", 1],
      ["JK-1001", 8],
      ["JK-1002", 2],
    ]),
    scene.ada,
  );
  await scene.leave();
});

/** A2 was never begun, so that nothing short was judged while the session counted; the rest is accounted for. */
async function endAtOnce(): Promise<void> {
  await scene.end();
  await scene.say(["A2", "A3"], "void");
}

test("what is short is open once no area is left to be counted, and a second count that settles it accounts for it", async () => {
  expect(await scene.open()).toEqual({ areas: 2 });
  await scene.say(["A2", "A3"], "void");
  expect(await scene.open()).toEqual({ beyond_tolerance: 2 });
  expect(await list()).toMatchObject([
    { sku: "JK-1000", productTitle: "Jacket", size: "S", counted: 1, difference: -6, said: null },
    { sku: "JK-1002", counted: 2, difference: -7 },
  ]);
  const refused = await admin().refusal(contract.stateBeyondTolerance, {
    params: scene.params,
    body: { stated: true, reason: "No time" },
  });
  expect(refused).toMatchObject({ status: 409, code: "SESSION_ACTIVE" });
  await admin().call(contract.askSecondCounts, { params: scene.params, body: { skus: ["JK-1000"] } });
  expect(await scene.open()).toEqual({ beyond_tolerance: 2, second_counts: 1 });
  await scene.countAgain("A1", new Map([["JK-1000", 1]]));
  expect(await scene.open()).toEqual({ beyond_tolerance: 1 });
});

test("what was not counted again when the session ended is open, until it is counted by hand or done without", async () => {
  await endAtOnce();
  expect(await scene.open()).toEqual({ beyond_tolerance: 2 });
  expect((await scene.issue()).status).toBe(409);
  await adjust("JK-1000", 2);
  expect((await list()).map(({ sku }) => sku)).toEqual(["JK-1002"]);
  expect(
    await state({ skus: ["JK-1002", "JK-1001"], stated: true, reason: "The stockroom is flooded" }),
  ).toEqual({
    changed: 1,
  });
  expect(await state({ stated: true, reason: "Again" })).toEqual({ changed: 0 });
  expect(await scene.open()).toEqual({});
  expect((await scene.issue()).status).toBe(201);
  const { withoutCountAgain, figures } = await newest();
  expect(withoutCountAgain).toEqual([
    { reason: "The stockroom is flooded", by: "admin", skus: 1, named: ["JK-1002"] },
  ]);
  expect(figures).toMatchObject({ skusWithoutCountAgain: 1 });
});

test("what was done without is open again where it is taken back, or another figure counts since", async () => {
  await endAtOnce();
  await state({ stated: true, reason: "The stockroom is flooded" });
  await scene.issue();
  expect(await state({ skus: ["JK-1000"], stated: false })).toEqual({ changed: 1 });
  expect(await scene.open()).toEqual({ beyond_tolerance: 1 });
  expect((await scene.read()).certificate).toMatchObject({ version: 1, valid: false });
  await state({ stated: true, reason: "Counted by the owner" });
  const late = await scene.scan("A1", "JK-1002");
  await admin().call(contract.resolveScan, { params: { id: late }, body: { action: "accept" } });
  expect((await list("decided")).map(({ sku, said }) => [sku, said?.reason, said?.holds])).toEqual([
    ["JK-1000", "Counted by the owner", true],
    ["JK-1002", "The stockroom is flooded", false],
  ]);
  expect(await scene.open()).toEqual({ beyond_tolerance: 1 });
  const { entries } = await admin().call(contract.listAudit, {
    query: { sessionId: scene.session._id, action: "coverage.difference_stated" },
  });
  expect(entries.map(({ after }) => after)).toEqual([
    { skus: 1, named: ["JK-1000"], reason: "Counted by the owner" },
    { skus: 2, named: ["JK-1000", "JK-1002"], reason: "The stockroom is flooded" },
  ]);
});

test("nothing is owed where no tolerance holds", async () => {
  await admin().call(contract.setSessionTolerance, { params: scene.params, body: { tolerance: null } });
  await endAtOnce();
  expect(await scene.open()).toEqual({});
});

test("a page of the release before is not told of a kind that it can't show", async () => {
  await endAtOnce();
  const { open, furtherOpen } = await admin().call(contract.readCoverage, { params: scene.params });
  expect([open, furtherOpen]).toEqual([
    [],
    [{ kind: "beyond_tolerance", count: 2, names: ["JK-1000", "JK-1002"] }],
  ]);
});
