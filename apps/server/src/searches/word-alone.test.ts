import * as contract from "@stocktake/contract";
import { expect, test } from "vitest";
import { SearchScene } from "./testing-search-scene.ts";

const scene = new SearchScene();

const ofReport = () => ({ params: { sessionId: scene.session._id } });

async function planNow(): Promise<string> {
  const { plan } = await scene.admin.call(contract.previewDeploy, ofReport());
  if (plan === undefined) throw new Error("The preview names no plan.");
  return plan;
}

const refused = (plan: string) =>
  scene.admin.refusal(contract.deployReport, { ...ofReport(), body: { zeroSearched: true, plan } });

test("a plan is another one once it rests on one temporary counter's word alone that something is not there, and once on another's", async () => {
  const { ada, ben } = scene;
  const { pool } = scene.server.database;
  await scene.create({ skus: ["JK-1000"] });
  for (const by of [ada, ben]) await scene.say(by, "JK-1000", "not_there");
  await scene.end();
  const ofBoth = await planNow();
  expect(await planNow()).toBe(ofBoth);

  // No call takes an answer back once the session has ended. Whatever else may, the plan is not to pass by it.
  await pool.query("delete from search_answers where answered_by = $1", [ben.userId]);
  expect((await refused(ofBoth)).code).toBe("PLAN_CHANGED");
  const ofAda = await planNow();
  await pool.query("update search_answers set answered_by = $1", [ben.userId]);
  expect((await refused(ofAda)).code).toBe("PLAN_CHANGED");

  const body = { zeroSearched: true, plan: await planNow() };
  expect(await scene.admin.call(contract.deployReport, { ...ofReport(), body })).toMatchObject({
    totalAdjustments: 1,
  });
});
