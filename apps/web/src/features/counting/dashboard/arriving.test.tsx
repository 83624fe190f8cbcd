import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { readLastCount, storeLastCount } from "../opening/last-area.ts";
import { openCounter } from "../testing/counter-harness.tsx";
import { areaIds, label, labelledShop } from "../testing/labelled-shop.ts";
import { allSent, burst, type ScanningHand, scannerInEachTest, shirt } from "../testing/scanning-hand.ts";
import { areaOne, mia } from "../testing/scripted-device.ts";
import { ScriptedShop } from "../testing/scripted-shop.ts";

const startButton = () => screen.getByRole("button", { name: "Start Counting Area" });

async function chooseArea(): Promise<void> {
  await userEvent.click(await screen.findByRole("radio", { name: "Sales Floor" }));
  await userEvent.click(await screen.findByRole("radio", { name: /A1/ }));
}

/** A store with one location, and in it the named areas of the shop. */
function shopOf(codes: readonly string[]): ScriptedShop {
  const shop = new ScriptedShop();
  shop.locations = shop.locations.slice(0, 1);
  shop.areas = shop.areas.filter(({ code }) => codes.includes(code));
  return shop;
}

describe("from the link to the first scan", () => {
  it("the only store is chosen by itself and takes one line; of several none is", async () => {
    await openCounter({ path: "/counter" });
    await screen.findByRole("radio", { name: "Harbour Street", checked: true });
    expect(screen.queryByRole("heading", { name: "1. Select Store" })).toBeNull();
    document.body.innerHTML = "";
    const shop = new ScriptedShop();
    shop.hasOtherStore = true;
    await openCounter({ path: "/counter", shop });
    await screen.findByRole("heading", { name: "1. Select Store" });
    await screen.findByRole("radio", { name: "Old Mill", checked: false });
    expect(screen.getByRole("radio", { name: "Harbour Street", checked: false })).toBeDefined();
  });

  it("the only area of the only location is chosen by itself: Start is the next tap", async () => {
    const harness = await openCounter({ path: "/counter", shop: shopOf(["A1"]) });
    await screen.findByRole("radio", { name: /A1/, checked: true });
    await userEvent.click(startButton());
    await waitFor(() => expect(harness.state()).toEqual(areaOne));
  });

  it("of several areas none is chosen, nor the only one that nobody can count any more", async () => {
    await openCounter({ path: "/counter", shop: shopOf(["A1", "A2"]) });
    await screen.findByRole("radio", { name: /A1/, checked: false });
    document.body.innerHTML = "";
    await openCounter({ path: "/counter", shop: shopOf(["A3"]) });
    await screen.findByRole("radio", { name: /A3/, checked: false });
  });

  it("the only area that is assigned to me is chosen with its location, until I choose another", async () => {
    const shop = new ScriptedShop();
    const assigned = { names: ["Mia"], mine: true, enforced: false };
    shop.areas = shop.areas.map((area) =>
      area.code === "A2" ? { ...area, locationId: "location-2", assigned } : area,
    );
    await openCounter({ path: "/counter", shop });
    await screen.findByRole("radio", { name: /A2/, checked: true });
    screen.getByRole("radio", { name: /Stockroom/, checked: true });
    await userEvent.click(screen.getByRole("radio", { name: /Sales Floor/ }));
    await screen.findByRole("radio", { name: /A1/, checked: false });
    screen.getByRole("radio", { name: /Sales Floor/, checked: true });
  });

  it("products come by themselves, with progress", async () => {
    const shop = new ScriptedShop();
    const release = shop.hold("/api/products/map");
    await openCounter({ path: "/counter", shop, isSynced: false });
    await screen.findByRole("progressbar", { name: "Downloading products" });
    release();
    await screen.findByText("Successfully synced 4 products for offline use!");
    expect(screen.queryByRole("progressbar")).toBeNull();
  });

  it("Start waits for the products and then starts, without another press", async () => {
    const shop = new ScriptedShop();
    const release = shop.hold("/api/products/map");
    const harness = await openCounter({ path: "/counter", shop, isSynced: false });
    await screen.findByRole("progressbar");
    await chooseArea();
    await userEvent.click(startButton());
    const waiting = await screen.findByRole("button", { name: "Starting as soon as the products are here…" });
    expect(waiting).toHaveProperty("disabled", true);
    release();
    await waitFor(() => expect(harness.path()).toBe("/counter/scan"));
  });

  it("Start waits for its own store's products, pressed while those of another are still coming", async () => {
    const shop = new ScriptedShop();
    shop.hasOtherStore = true;
    const release = shop.hold("/api/products/map");
    const harness = await openCounter({ path: "/counter", shop, isSynced: false });
    await userEvent.click(await screen.findByRole("radio", { name: "Old Mill" }));
    await screen.findByRole("progressbar");
    await userEvent.click(screen.getByRole("radio", { name: "Harbour Street" }));
    await chooseArea();
    await userEvent.click(startButton());
    release();
    await waitFor(() => expect(harness.path()).toBe("/counter/scan"));
  });

  it("a scanned label waits for the products too, and then opens its area", async () => {
    const shop = labelledShop();
    const release = shop.hold("/api/products/map");
    const harness = await openCounter({ path: "/counter", shop, isSynced: false });
    await screen.findByRole("progressbar");
    burst(label("stockroom"));
    await screen.findByRole("button", { name: "Starting as soon as the products are here…" });
    screen.getByRole("radio", { name: /S1/, checked: true });
    expect(screen.queryByText("Please sync products before starting to count")).toBeNull();
    release();
    await waitFor(() => expect(harness.path()).toBe("/counter/scan"));
    expect(harness.state()).toMatchObject({ areaId: areaIds.stockroom });
  });

  it("a recount's button waits for the products too, also elsewhere than what is chosen", async () => {
    const shop = new ScriptedShop();
    const requestedAt = "2026-03-01T10:00:00.000Z";
    const recount = { pass: 2, reason: null, requestedBy: "admin", requestedAt };
    shop.areas = shop.areas.map((area) => (area.code === "A1" ? { ...area, pass: 2, recount } : area));
    const release = shop.hold("/api/products/map");
    const harness = await openCounter({ path: "/counter", shop, isSynced: false });
    await screen.findByRole("progressbar");
    await userEvent.click(await screen.findByRole("button", { name: "Count This Area" }));
    await screen.findByRole("button", { name: "Starting as soon as the products are here…" });
    release();
    await waitFor(() => expect(harness.path()).toBe("/counter/scan"));
  });

  it("what waits is given up where another area is chosen", async () => {
    const shop = new ScriptedShop();
    const release = shop.hold("/api/products/map");
    const harness = await openCounter({ path: "/counter", shop, isSynced: false });
    await chooseArea();
    await userEvent.click(startButton());
    await screen.findByRole("button", { name: "Starting as soon as the products are here…" });
    await userEvent.click(screen.getByRole("radio", { name: /A2/ }));
    await userEvent.click(screen.getByRole("radio", { name: /A1/ }));
    release();
    await screen.findByText("Successfully synced 4 products for offline use!");
    startButton();
    expect(harness.path()).toBe("/counter");
  });

  it("Start that waited in vain says what is missing, and products come once a network is back", async () => {
    const shop = new ScriptedShop();
    const release = shop.hold("/api/products/map");
    shop.hasProducts = false;
    const harness = await openCounter({ path: "/counter", shop, isSynced: false });
    await screen.findByRole("progressbar");
    await chooseArea();
    await userEvent.click(startButton());
    release();
    await screen.findByText("Please sync products before starting to count");
    expect(harness.path()).toBe("/counter");
    harness.device.connectivity.report(false);
    await screen.findByText("Offline");
    shop.hasProducts = true;
    harness.device.connectivity.report(true);
    await screen.findByText("Successfully synced 4 products for offline use!");
  });
});

describe("after the session's end", () => {
  const hand = scannerInEachTest();

  it("a page says thank you, what was scanned, and that the device holds nothing any more", async () => {
    const counting = await openCounter({ path: "/counter/scan", state: areaOne });
    await screen.findByRole("heading", { name: /^Area / });
    await hand.firstScan();
    await hand.scan(shirt);
    await allSent(counting);
    // A pass of the person's own was begun again.
    const [own] = await counting.device.database.getAll("pendingScans");
    if (own?.id === undefined) throw new Error("Nothing was scanned.");
    await counting.device.database.put("pendingScans", { ...own, id: own.id + 1_001, pass: own.pass - 1 });
    document.body.innerHTML = "";
    counting.shop.hasSession = false;
    counting.shop.isOver = true;
    await openCounter({ path: "/counter", shop: counting.shop, device: counting.device });
    await screen.findByRole("heading", { name: "Count finished, thank you" });
    await screen.findByText("You scanned 2 items in 1 area on this device.");
    screen.getByText("Everything on this device has reached the server. You can put it away.");
    expect(screen.queryByRole("button", { name: "Start Counting Area" })).toBeNull();
  });

  it("says what the device still has to send", async () => {
    const counting = await openCounter({ path: "/counter/scan", state: areaOne });
    await screen.findByRole("heading", { name: /^Area / });
    await hand.firstScan();
    await allSent(counting);
    counting.shop.scanning.chance = () => ({ kind: "request_lost" });
    await hand.scan(shirt);
    document.body.innerHTML = "";
    counting.shop.hasSession = false;
    counting.shop.isOver = true;
    await openCounter({ path: "/counter", shop: counting.shop, device: counting.device });
    await screen.findByText(/^1 entry on this device still has to reach the server/);
  });

  const greta = { ...mia, isTemporary: false, invitationId: null };

  /** Greta, who has a password, has counted in a session that is over now, and opens the dashboard. */
  async function openAfterCount(hand: ScanningHand) {
    const counting = await openCounter({ path: "/counter/scan", state: areaOne, user: greta });
    await screen.findByRole("heading", { name: /^Area / });
    await hand.firstScan();
    await allSent(counting);
    const { shop, device } = counting;
    shop.hasSession = false;
    return () => {
      document.body.innerHTML = "";
      return openCounter({ path: "/counter", shop, device, user: greta });
    };
  }

  it("somebody with a password is thanked too, until they go on", async () => {
    const open = await openAfterCount(hand);
    const dashboard = await open();
    await screen.findByRole("heading", { name: "Count finished, thank you" });
    screen.getByText("The count of Harbour Street has ended.");
    await screen.findByText("You scanned 1 item in 1 area on this device.");
    expect(screen.queryByRole("button", { name: "Start Counting Area" })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Go On" }));
    await screen.findByRole("button", { name: "Start Counting Area" });
    expect(screen.queryByText("Count finished, thank you")).toBeNull();
    await waitFor(async () => expect(await readLastCount(dashboard.device.database, greta._id)).toBeNull());
    await open();
    await screen.findByRole("button", { name: "Start Counting Area" });
    expect(screen.queryByText("Count finished, thank you")).toBeNull();
  });

  it("and not for a count of the day before", async () => {
    const open = await openAfterCount(hand);
    const { device } = await open();
    await screen.findByRole("heading", { name: "Count finished, thank you" });
    const last = { sessionId: areaOne.sessionId, store: areaOne.store.name };
    const at = Date.now() - 25 * 60 * 60 * 1_000;
    await storeLastCount(device.database, greta._id, { ...last, at });
    await open();
    await screen.findByRole("button", { name: "Start Counting Area" });
    expect(screen.queryByText("Count finished, thank you")).toBeNull();
  });

  it("nor while the session goes on", async () => {
    const counting = await openCounter({ path: "/counter/scan", state: areaOne, user: greta });
    await screen.findByRole("heading", { name: /^Area / });
    await hand.firstScan();
    await allSent(counting);
    document.body.innerHTML = "";
    await openCounter({ path: "/counter", shop: counting.shop, device: counting.device, user: greta });
    await screen.findByRole("button", { name: "Start Counting Area" });
    expect(screen.queryByText("Count finished, thank you")).toBeNull();
  });

  it("asks for no recount any more", async () => {
    const shop = new ScriptedShop();
    const recount = {
      ...{ pass: 2, reason: null, requestedBy: "admin" },
      requestedAt: "2026-03-01T10:00:00.000Z",
    };
    shop.areas = shop.areas.map((area) => ({ ...area, pass: 2, recount }));
    await openCounter({ path: "/counter", shop });
    await screen.findByText("Area A1 - Area A1 is to be counted again");
    document.body.innerHTML = "";
    shop.hasSession = false;
    shop.isOver = true;
    await openCounter({ path: "/counter", shop });
    await screen.findByRole("heading", { name: "Count finished, thank you" });
    expect(screen.queryByText("Area A1 - Area A1 is to be counted again")).toBeNull();
  });
});
