import { endSession, undoScan, varianceReport } from "@stocktake/contract";
import { expect, test } from "vitest";
import { codes, countInEachTest, countingSlices, firstArea } from "../scanning/testing/scene.ts";
import {
  askAgain,
  choose,
  countShelf,
  differencesOf,
  joinAs,
  type Shelf,
} from "../scanning/testing/second-counts.ts";
import { reportRoutes } from "./routes.ts";

const { sku } = codes.jacketS;
const scene = countInEachTest([...countingSlices, reportRoutes]);

async function rowOf() {
  const of = { params: { sessionId: scene.session._id }, query: { view: "all" } } as const;
  return (await scene.server.admin.call(varianceReport, of)).items.find((item) => item.sku === sku);
}

/** Counts the shelf twice, ends the session, and takes the second count's first scan back on its device. */
async function undoneAfterEnd(first: Shelf, second: Shelf): Promise<void> {
  await countShelf(scene, await joinAs(scene, "Ada"), first);
  const ben = await joinAs(scene, "Ben");
  const { pass } = await askAgain(scene);
  await countShelf(scene, ben, second);
  await scene.server.admin.call(endSession, { body: { sessionId: scene.session._id } });
  const body = { ...firstArea(scene), deviceId: `device-of-${ben.username}`, seq: 1, pass };
  expect(await ben.api.refusal(undoScan, { body })).toMatchObject({ code: "SESSION_CLOSED" });
}

test("an undo of a second count after the end leaves its figure in doubt where that is chosen", async () => {
  await undoneAfterEnd({ jacketS: 5 }, { jacketS: 3 });
  const [difference] = await differencesOf(scene);
  if (difference === undefined) throw new Error("The counts do not differ.");
  await choose(scene, difference, "second");
  expect(await rowOf()).toMatchObject({ counted: 3, uncertain: "UNDONE_AFTER_END" });
});

test("it leaves a figure that both counts had in no doubt", async () => {
  await undoneAfterEnd({ jacketS: 5 }, { jacketS: 5 });
  expect(await rowOf()).toMatchObject({ counted: 5, uncertain: null });
});
