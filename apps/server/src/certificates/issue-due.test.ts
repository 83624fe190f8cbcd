import * as contract from "@stocktake/contract";
import { expect, test } from "vitest";
import { createDueIssuer } from "./issue-due.ts";
import { CoverageScene } from "./testing/coverage-scene.ts";

/** Nobody follows the changes, as on a server that is killed just then. */
const scene = new CoverageScene({ follows: false });

test("a version that was missed as the server was killed is issued by the clock of the next one, once", async () => {
  await scene.complete();
  await scene.issue();
  const body = { sku: "JK-1000", newCount: 2, reason: "Behind the till" };
  const params = { sessionId: scene.session._id };
  await scene.server.admin.call(contract.adjustCount, { params, body });
  expect((await scene.read()).certificate).toMatchObject({ version: 1, valid: false });
  const issueDue = createDueIssuer(scene.server.context);
  for (const _ of [1, 2]) await issueDue();
  expect((await scene.versions()).map(({ version }) => version)).toEqual([2, 1]);
  expect((await scene.read()).certificate).toMatchObject({ version: 2, valid: true });
});

test("what waited for a device alone is issued by the clock once the device says that it holds nothing", async () => {
  await scene.complete();
  await scene.issue();
  const late = await scene.scan("A1", "JK-1001", { pending: 1 });
  const body = { action: "dismiss" } as const;
  await scene.server.admin.call(contract.resolveScan, { params: { id: late }, body });
  const issueDue = createDueIssuer(scene.server.context);
  await issueDue();
  expect((await scene.versions()).map(({ version }) => version)).toEqual([1]);
  await scene.tell("phone of Ada", 0);
  for (const _ of [1, 2]) await issueDue();
  expect((await scene.versions()).map(({ version }) => version)).toEqual([2, 1]);
});
