import type { CountingSession } from "@stocktake/contract";
import { activeSession } from "@stocktake/contract/examples";
import type { QueryClient } from "@tanstack/react-query";
import { screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { queryRoots } from "../../../http/query-roots.ts";
import { openStation } from "../testing/counter-harness.tsx";
import { areaOne } from "../testing/scripted-device.ts";
import { ScriptedShop } from "../testing/scripted-shop.ts";
import { openStationAlone, otherShirt } from "../testing/station-harness.ts";

/** What is asked for while the first answer is under way changes nothing of it. */
async function waitForAreas(client: QueryClient): Promise<void> {
  const areas = { queryKey: [queryRoots.areas] };
  await vi.waitFor(() => expect(client.isFetching(areas)).toBe(0));
}

const area = { ...areaOne, only: ["SHIRT-M", "GONE-1"] };
const notOnList = "Not on this list: put it back. It isn't counted here. Linen Shirt · L.";

it("S45: the products to count stand on the screen by name, size and codes, and by the SKU alone where the device has no more", async () => {
  await openStation({ state: area });
  const list = within(await screen.findByRole("list", { name: "Count only these 2 products here" }));
  await list.findByText(/4006381333931/);
  expect(list.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "Linen Shirt\u00a0·\u00a0MSHIRT-M · 4006381333931",
    "GONE-1",
  ]);
});

it("S45: another product is said to be none of them, and is kept, sent and undone as any, without the server too", async () => {
  const { shop, device, scan, state, countOne, count, sounds, station, ...harness } = await openStationAlone({
    area,
  });
  await countOne();
  expect(state().notice?.kind).toBe("success");
  scan(otherShirt);
  await harness.waitUntilShown(notOnList);
  expect([count(), sounds.at(-1)]).toEqual([2, "buzz"]);
  await harness.waitUntilSent();
  expect(shop.scanning.inputs()).toContain(otherShirt);
  harness.clock.advance(1_000);
  station.undo();
  await harness.waitUntilCounted(1);
  shop.isAway = true;
  device.connectivity.report(false);
  scan(otherShirt);
  await harness.waitUntilShown(notOnList);
  expect(count()).toBe(2);
});

it("S45: once the area is counted anew as a whole every product counts, after a reload too", async () => {
  const { shop, client, state, countOne, remembered, ...harness } = await openStationAlone({ area });
  await countOne();
  await waitForAreas(client);
  shop.areas = shop.areas.map((each) => (each.code === "A1" ? { ...each, pass: 2 } : each));
  await client.invalidateQueries({ queryKey: [queryRoots.areas] });
  await harness.waitUntilShown("This area was restarted.");
  expect(state().only).toBeNull();
  expect(remembered.at(-1)).not.toHaveProperty("only");
});

it("S31, S45: a total of listed products is kept as one", async () => {
  const { device, station, countOne } = await openStationAlone({ area });
  await countOne();
  station.openDialog("finish");
  await station.finish(1);
  expect(await device.database.getAll("pendingSubmissions")).toMatchObject([
    { kind: "finish", ofList: true },
  ]);
});

/** A page in which the area is started again before the session is known; returns what tells of it. */
async function startAgainBefore(session: CountingSession) {
  const shop = new ScriptedShop();
  shop.further.set("GET /api/session", () => ({ status: 200, body: { sessions: [session] } }));
  const release = shop.hold("/api/session");
  const { client, state, ...harness } = await openStationAlone({ shop, area });
  await harness.waitUntilReady();
  await waitForAreas(client);
  shop.areas = shop.areas.map((each) => (each.code === "A1" ? { ...each, pass: 2 } : each));
  await client.invalidateQueries({ queryKey: [queryRoots.areas] });
  await harness.waitUntilShown("This area was restarted.");
  return { state, release };
}

it("S45: the list of a follow-up stays where the area was started again before the device has read of its session", async () => {
  const { state, release } = await startAgainBefore(activeSession({ only: ["SHIRT-M"] }));
  expect(state().only).toEqual(area.only);
  release();
  await vi.waitFor(() => expect(state().only).toEqual(["SHIRT-M"]));
});

it("S45: so does another list until the session is known to have none", async () => {
  const { state, release } = await startAgainBefore(activeSession());
  expect(state().only).toEqual(area.only);
  release();
  await vi.waitFor(() => expect(state().only).toBeNull());
});
