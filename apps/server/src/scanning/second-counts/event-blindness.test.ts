import type { LiveEvent } from "@stocktake/contract";
import { expect, test } from "vitest";
import { eventRoutes } from "../../events/routes.ts";
import { type EventClient, listen } from "../../testing/event-client.ts";
import type { TestCounter } from "../../testing/scenes.ts";
import { firstAreaId } from "../testing/endings.ts";
import { countInEachTest, countingSlices, scan } from "../testing/scene.ts";
import { askAgain, countShelf, finishAs, joinAs, scanShelf } from "../testing/second-counts.ts";

const scene = countInEachTest([...countingSlices, eventRoutes]);

/** Scans in another area until every page has heard of it: whatever was published before it has come by then. */
async function settle(pages: readonly EventClient[], by: TestCounter, seq: number): Promise<void> {
  const areaId = scene.store.areas[1]?.id ?? "";
  const before = pages.map((page) => page.heard.length);
  await scan(scene, { areaCode: "A2", deviceId: "device-of-the-other-area", seq }, by.api);
  for (const [index, page] of pages.entries()) {
    await expect
      .poll(() => page.heard.slice(before[index]))
      .toContainEqual(expect.objectContaining({ type: "scan", areaId }));
  }
}

/** Heard of the first area's second counts: what was told of its own pass may come late. */
const ofSecondCounts = (heard: readonly LiveEvent[] = []) =>
  heard.flatMap(({ type, areaId, pass = 0 }) =>
    areaId === firstAreaId(scene) && pass > 2 ? [`${type} ${pass}`] : [],
  );

test("of a second count nobody hears to whom the area is closed, and whoever may count it hears all", async () => {
  const [ada, ben, cleo] = [
    await joinAs(scene, "Ada"),
    await joinAs(scene, "Ben"),
    await joinAs(scene, "Cleo"),
  ];
  await countShelf(scene, ada, { jacketS: 8 });
  const { pass } = await askAgain(scene);
  expect(pass).toBe(3);
  const pages = [
    await listen(ada.api),
    await listen(ben.api),
    await listen(cleo.api),
    await listen(scene.server.admin),
  ];
  const [ofAda, ofBen, ofCleo, ofAdmin] = pages.map(({ heard }) => heard);
  await settle(pages, cleo, 1);
  await scanShelf(scene, ben, { jacketS: 7 });
  await settle(pages, cleo, 2);
  expect(ofSecondCounts(ofAda)).toEqual([]);
  for (const heard of [ofBen, ofCleo, ofAdmin]) {
    expect(ofSecondCounts(heard).toSorted()).toEqual([`area ${pass}`, `scan ${pass}`]);
  }
  await finishAs(scene, ben, 7, pass);
  await settle(pages, cleo, 3);
  const third = await scanShelf(scene, cleo, { jacketS: 7 });
  await settle(pages, cleo, 4);
  expect(ofSecondCounts(ofAda)).toEqual([]);
  expect(ofSecondCounts(ofBen)).not.toContain(`scan ${third.pass}`);
  for (const heard of [ofCleo, ofAdmin]) expect(ofSecondCounts(heard)).toContain(`scan ${third.pass}`);
  expect((ofAda ?? []).map(({ type }) => type)).toContain("area");
  for (const page of pages) page.close();
});
