import * as contract from "@stocktake/contract";
import { expect, test } from "vitest";
import { join } from "../testing/scenes.ts";
import { CoverageScene } from "./testing/coverage-scene.ts";

const scene = new CoverageScene();

/** The scene's session ends, and its follow-up of the SKUs counts from now on. */
async function follow(...skus: string[]): Promise<void> {
  await scene.end();
  const answer = await scene.server.admin.call(contract.startFollowUp, {
    params: scene.params,
    body: { skus },
  });
  if (!("session" in answer)) throw new Error("The follow-up is still being started.");
  scene.session = answer.session;
  scene.ada = await join(scene.server, scene.session, { name: "Ada", email: "ada@example.com" });
}

test("a follow-up owes its own SKUs, and its certificate speaks of no others", async () => {
  await follow("JK-1000", "BELT-1");
  expect(await scene.open()).toEqual({ areas: 3, stock: 2 });
  await scene.scan("A1", "JK-1000");
  await scene.scan("A1", "JK-1001");
  await scene.finish("A1", 2);
  await scene.say(["A2", "A3"], "void");
  expect(await scene.read()).toMatchObject({ open: [{ kind: "stock", count: 1, names: ["BELT-1"] }] });
  await scene.end();
  expect(await scene.issue()).toMatchObject({ body: { code: "COVERAGE_OPEN" } });
  expect(await scene.leave()).toEqual({ changed: 1 });

  await scene.issue();
  const [certificate] = await scene.versions();
  const none = { skus: 0, units: 0 };
  expect(JSON.parse(certificate?.text ?? "")).toMatchObject({
    areas: [{ code: "A1", units: 2 }, { code: "A2" }, { code: "A3" }],
    stock: { counted: { skus: 1, units: 1 }, leftAlone: { skus: 1 }, notThere: none, outside: none },
  });
  const { items } = await scene.server.admin.call(contract.varianceReport, {
    params: { sessionId: scene.session._id },
    query: { view: "all" },
  });
  expect(items.map(({ sku }) => sku)).toEqual(["JK-1000"]);
});
