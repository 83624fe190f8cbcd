import type { Area } from "@stocktake/contract";
import { activeSession, location } from "@stocktake/contract/examples";
import { act, cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { queryRoots } from "../../../http/query-roots.ts";
import { holdTimers } from "../../../testing/hold-timers.ts";
import { deviceRoots } from "../lists/counter-queries.ts";
import { storeLastCount } from "../opening/last-area.ts";
import { type CounterHarness, openCounter } from "../testing/counter-harness.tsx";
import { areaIds, label, labelledShop } from "../testing/labelled-shop.ts";
import { burst } from "../testing/scanning-hand.ts";
import { areaOne, mia } from "../testing/scripted-device.ts";
import { ScriptedShop } from "../testing/scripted-shop.ts";

const recount = {
  ...{ pass: 2, reason: null, requestedBy: "admin" },
  requestedAt: "2026-03-01T10:00:00.000Z",
};

function changeFirstArea(shop: ScriptedShop, changed: Partial<Area>): void {
  shop.areas = shop.areas.map((area) => (area.code === "A1" ? { ...area, ...changed } : area));
}

/** A shop whose first area an administrator wants counted again. */
function shopWithRecount(): ScriptedShop {
  const shop = new ScriptedShop();
  changeFirstArea(shop, { pass: 2, recount });
  return shop;
}

/** Somebody with a password. */
const greta = { ...mia, isTemporary: false, invitationId: null };
const lastCount = { sessionId: areaOne.sessionId, store: areaOne.store.name };

async function chooseLocation(): Promise<void> {
  await userEvent.click(await screen.findByRole("radio", { name: "Sales Floor" }));
  await screen.findByRole("radio", { name: /A1/ });
}

/** The areas are being read again, as others scan, and do not come until what is returned is called. */
function readAreasSlowly({ shop, client }: CounterHarness): () => void {
  const release = shop.hold("/api/areas/by-location/location-1");
  act(() => void client.invalidateQueries({ queryKey: [queryRoots.areas] }));
  return release;
}

it("a recount's button starts within two seconds by the list that is here, while a newer one takes its time", async () => {
  const shop = shopWithRecount();
  const harness = await openCounter({ path: "/counter", shop });
  await chooseLocation();
  const release = readAreasSlowly(harness);
  const held = holdTimers(2_000);
  await userEvent.click(await screen.findByRole("button", { name: "Count This Area" }));
  await screen.findByRole("button", { name: "Starting as soon as the areas are here…" });
  expect(harness.path()).toBe("/counter");
  await held.pass();
  await waitFor(() => expect(harness.path()).toBe("/counter/scan"));
  release();
});

it.each(["closed", "in_progress"] as const)(
  "a recount's button starts the pass that is asked for, while the list still has the one before as %s",
  async (status) => {
    const shop = new ScriptedShop();
    changeFirstArea(shop, { status });
    const harness = await openCounter({ path: "/counter", shop });
    await chooseLocation();
    changeFirstArea(shop, { status: "not_started", pass: 2, recount });
    const release = readAreasSlowly(harness);
    act(() => void harness.client.invalidateQueries({ queryKey: [deviceRoots.book] }));
    await userEvent.click(await screen.findByRole("button", { name: "Count This Area" }));
    await waitFor(() => expect(harness.state()).toMatchObject({ areaId: "area-1", pass: 2 }));
    release();
  },
);

it("Count Again starts by the list that it is of, while that is read again", async () => {
  const harness = await openCounter({ path: "/counter" });
  await chooseLocation();
  const area = { ...areaOne, areaCode: "A1" };
  await harness.device.operate({ kind: "finish", area, declaredTotal: 9 });
  const button = await screen.findByRole("button", { name: "Count Again" });
  const release = readAreasSlowly(harness);
  await userEvent.click(button);
  await waitFor(() => expect(harness.state()).toMatchObject({ areaId: "area-1", pass: 2 }));
  release();
});

it("a recount's button whose store is not known says what is missing, and waits for nothing", async () => {
  const shop = shopWithRecount();
  shop.hasOtherStore = true;
  shop.areas = shop.areas.map((area) => ({ ...area, locationId: "location-unheard-of" }));
  await openCounter({ path: "/counter", shop });
  await userEvent.click(await screen.findByRole("button", { name: "Count This Area" }));
  await screen.findByText("Please select store, location, and area");
  screen.getByRole("button", { name: "Start Counting Area" });
});

it("a label of another store that counts leads on from the count that is over, and waits for its products", async () => {
  const shop = labelledShop();
  const mill = { _id: "store-2", name: "Old Mill" };
  shop.hasOtherStore = true;
  shop.locations = [...shop.locations, location({ _id: "location-3", name: "Mill Floor", storeId: mill })];
  shop.areas = shop.areas.map((area) => (area.code === "S1" ? { ...area, locationId: "location-3" } : area));
  const running = activeSession({ _id: "session-2", storeId: mill });
  shop.further.set("GET /api/session", () => ({ status: 200, body: { sessions: [running] } }));
  const { device } = await openCounter({ path: "/counter", shop, user: greta });
  await storeLastCount(device.database, greta._id, { ...lastCount, at: Date.now() });
  cleanup();
  const harness = await openCounter({ path: "/counter", shop, device, user: greta });
  await screen.findByRole("heading", { name: "Count finished, thank you" });
  const release = shop.hold("/api/products/map");
  burst(label("stockroom"));
  await screen.findByRole("button", { name: "Starting as soon as the products are here…" });
  release();
  await waitFor(() => expect(harness.path()).toBe("/counter/scan"));
  expect(harness.state()).toMatchObject({ areaId: areaIds.stockroom, sessionId: "session-2" });
});

it("what waits is given up where its count ends meanwhile, and does not start in the next one", async () => {
  const shop = new ScriptedShop();
  const release = shop.hold("/api/products/map");
  const harness = await openCounter({ path: "/counter", shop, isSynced: false, user: greta });
  await storeLastCount(harness.device.database, greta._id, { ...lastCount, at: Date.now() });
  await chooseLocation();
  await userEvent.click(screen.getByRole("radio", { name: /A1/ }));
  await userEvent.click(screen.getByRole("button", { name: "Start Counting Area" }));
  await screen.findByRole("button", { name: "Starting as soon as the products are here…" });
  const sessions = [activeSession({ _id: "session-2" })];
  shop.further.set("GET /api/session", () => ({ status: 200, body: { sessions } }));
  act(() => {
    void harness.client.invalidateQueries({ queryKey: [queryRoots.sessions] });
    void harness.client.invalidateQueries({ queryKey: [deviceRoots.held] });
  });
  await userEvent.click(await screen.findByRole("button", { name: "Go On" }));
  release();
  await screen.findByText("Successfully synced 4 products for offline use!");
  screen.getByRole("button", { name: "Start Counting Area" });
  expect(harness.path()).toBe("/counter");
});

it("where nothing can be counted yet, the step says so in the place of a button, and areas that are added come by themselves", async () => {
  const shop = new ScriptedShop();
  const { areas } = shop;
  shop.areas = [];
  const { client } = await openCounter({ path: "/counter", shop });
  await userEvent.click(await screen.findByRole("radio", { name: "Sales Floor" }));
  await screen.findByText(/^This location has no areas yet\..*they appear here by themselves\.$/);
  expect(screen.queryByRole("button", { name: "Start Counting Area" })).toBeNull();
  shop.areas = areas;
  act(() => void client.invalidateQueries({ queryKey: [queryRoots.areas] }));
  await screen.findByRole("radio", { name: /A1/ });
  screen.getByRole("button", { name: "Start Counting Area" });
});
