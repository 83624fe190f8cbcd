import { demoCatalogue, syntheticCatalogue } from "@stocktake/shopify-emulator";
import { afterEach, describe, expect, test } from "vitest";
import type { ShopifyPlatform } from "./platform.ts";
import { collect } from "./testing/collect.ts";
import { type EmulatedShop, startEmulatedShop, TARTU, VILNIUS } from "./testing/emulated-shop.ts";
import { startScriptedShop, status } from "./testing/scripted-shop.ts";
import { isSignedBy, levelHint, webhookSignatureHeader } from "./webhooks.ts";

let started: EmulatedShop[] = [];

async function start(options?: Parameters<typeof startEmulatedShop>[0]): Promise<EmulatedShop> {
  const shop = await startEmulatedShop(options);
  started.push(shop);
  return shop;
}

afterEach(async () => {
  for (const shop of started) await shop.emulator.close();
  started = [];
});

const snapshotOf = async (platform: ShopifyPlatform, shopifyLocationId: string | null) =>
  (await collect(platform.snapshot({ shopifyLocationId }))).flat();

describe("reading the emulated shop", () => {
  test("brings the shop and its active locations", async () => {
    const { platform } = await start();
    expect(await platform.shop()).toMatchObject({ domain: "fjord-tests.myshopify.com", currency: "EUR" });
    expect((await platform.shopifyLocations()).map(({ name }) => name)).toEqual([VILNIUS, TARTU]);
  });

  test.each([
    ["pages", 100],
    ["a bulk operation", 0],
  ])("brings a snapshot by %s with the stock of one location", async (_name, bulkAbove) => {
    const { platform, locationId } = await start({ bulkAbove });
    const variants = await snapshotOf(platform, await locationId(VILNIUS));
    expect(
      variants.map(({ sku, size, stocked, onHand, available }) => ({
        sku,
        size,
        stocked,
        onHand,
        available,
      })),
    ).toEqual([
      { sku: "JK-S", size: "S", stocked: true, onHand: 7, available: 5 },
      { sku: "JK-M", size: "M", stocked: true, onHand: 8, available: 6 },
      { sku: "JK-L", size: "L", stocked: true, onHand: 9, available: 7 },
      { sku: "", size: null, stocked: true, onHand: 0, available: 0 },
      { sku: "SET-1", size: null, stocked: true, onHand: 3, available: 3 },
    ]);
    expect(variants[0]).toMatchObject({
      unitCostCents: 1240,
      currency: "EUR",
      tracked: true,
      productTitle: "Jacket",
    });
    expect(variants[3]).toMatchObject({ tracked: false, unitCostCents: null });
    expect(variants[4]).toMatchObject({ requiresComponents: true, productStatus: "DRAFT" });
  });

  test.each([
    ["pages", 1_000_000],
    ["a bulk operation", 0],
  ])("brings the demo catalogue by %s, every variant with the stock it has", async (_name, bulkAbove) => {
    const { platform, control } = await start({ catalogue: demoCatalogue(), bulkAbove });
    const { locations, variants } = await control.snapshot();
    const [location] = locations;
    const read = await snapshotOf(platform, location?.id ?? "");
    expect(read.map(({ variantId, stocked, available }) => ({ variantId, stocked, available }))).toEqual(
      variants.map(({ id, levels }) => {
        const level = levels[location?.position ?? 0];
        const stocked = level?.isActive === true;
        return { variantId: id, stocked, available: stocked ? level.quantities.available : 0 };
      }),
    );
  });

  test("brings the same thousand variants by pages and by bulk operation", async () => {
    const catalogue = syntheticCatalogue(1003);
    const paged = await start({ catalogue, bulkAbove: 5000 });
    const bulk = await start({ catalogue, bulkAbove: 10 });
    const location = await paged.locationId("First Floor");
    const byPages = await snapshotOf(paged.platform, location);
    const ours = byPages.map(({ image: _image, ...variant }) => variant);
    const theirs = (await snapshotOf(bulk.platform, location)).map(
      ({ image: _image, ...variant }) => variant,
    );
    expect(ours).toHaveLength(1003);
    expect(theirs).toEqual(ours);
  });

  test.each([100, 0])("brings the catalogue alone (bulk above %d)", async (bulkAbove) => {
    const { platform } = await start({ bulkAbove });
    const variants = await snapshotOf(platform, null);
    expect(variants).toHaveLength(5);
    expect(variants.every(({ stocked, onHand }) => !stocked && onHand === 0)).toBe(true);
  });

  test.each(["OPERATION_IN_PROGRESS", "LIMIT_REACHED"] as const)(
    "waits for another export to end (%s)",
    async (bulkRefusal) => {
      const { platform } = await start({ bulkAbove: 0, settings: { bulkDuration: 5000, bulkRefusal } });
      const both = await Promise.all([snapshotOf(platform, null), snapshotOf(platform, null)]);
      expect(both.map((variants) => variants.length)).toEqual([5, 5]);
    },
  );

  test("runs an export again after a fault of the platform's own", async () => {
    const { platform, control } = await start({ bulkAbove: 0 });
    await control.addFaults({
      faults: [{ effect: { kind: "bulkFails", status: "FAILED", errorCode: "INTERNAL_SERVER_ERROR" } }],
    });
    expect(await snapshotOf(platform, null)).toHaveLength(5);
  });

  test("reads the live levels of stocked, inactive, missing and deleted items", async () => {
    const { platform, control, locationId, itemId } = await start();
    const tartu = await locationId(TARTU);
    const [small, medium, large, set] = await Promise.all(["JK-S", "JK-M", "JK-L", "SET-1"].map(itemId));
    await control.deactivateLevel({ item: "JK-M", location: TARTU });
    await control.deleteVariant({ item: "JK-L" });
    const ids = [small, medium, large, set].filter((id) => id !== undefined);
    const levels = await platform.liveLevels(tartu, ids);
    expect(ids.map((id) => levels.get(id))).toMatchObject([
      { tracked: true, stocked: true, onHand: 1, available: 1, committed: 0 },
      { tracked: true, stocked: false, onHand: 1, available: 1, committed: 0 },
      null,
      { tracked: true, stocked: false, onHand: 0, available: 0, committed: 0 },
    ]);
  });

  test("finds the levels that changed since a moment", async () => {
    const { platform, control, clock, locationId, itemId } = await start();
    const vilnius = await locationId(VILNIUS);
    clock.advance(60_000);
    const since = new Date(clock.now());
    clock.advance(60_000);
    await control.sell({ item: "JK-M", location: VILNIUS, quantity: 1 });
    await control.sell({ item: "JK-M", location: TARTU, quantity: 1 });
    const changed = (await collect(platform.changedLevels(vilnius, since))).flat();
    expect(changed.map(({ inventoryItemId, available }) => ({ inventoryItemId, available }))).toEqual([
      { inventoryItemId: await itemId("JK-M"), available: 5 },
    ]);
  });
});

describe("the levels of a shop whose whole stock was set at once", () => {
  const rows = 700;
  const setAtOnce = { catalogue: syntheticCatalogue(rows), settings: { pageReach: 500 } };

  test("are found although a list does not reach that far", async () => {
    const { platform, clock, locationId } = await start({ ...setAtOnce, bulkAbove: 300 });
    const location = await locationId("First Floor");
    clock.advance(60_000);
    const before = new Date(clock.now() - 3_600_000);
    const changed = (await collect(platform.changedLevels(location, before))).flat();
    expect(new Set(changed.map(({ inventoryItemId }) => inventoryItemId)).size).toBe(rows);
    const [live] = await platform.liveLevels(location, [changed.at(-1)?.inventoryItemId ?? ""]);
    expect(changed.at(-1)).toMatchObject(live?.[1] ?? {});
  });

  test("are left out where they did not change", async () => {
    const { platform, clock, control, locationId, itemId } = await start({ ...setAtOnce, bulkAbove: 0 });
    const location = await locationId("First Floor");
    clock.advance(60_000);
    const since = new Date(clock.now());
    clock.advance(60_000);
    await control.sell({ item: "SYN-1000006", location: "First Floor", quantity: 1 });
    const changed = (await collect(platform.changedLevels(location, since))).flat();
    expect(new Set(changed.map(({ inventoryItemId }) => inventoryItemId))).toEqual(
      new Set([await itemId("SYN-1000006")]),
    );
  });
});

describe("the emulated platform's limits", () => {
  test("are waited for: a read that finds the bucket empty comes through", async () => {
    const { platform, control, clock } = await start();
    await platform.shop();
    await control.leavePoints({ points: 0 });
    expect(await snapshotOf(platform, null)).toHaveLength(5);
    expect(clock.pauses.length).toBeGreaterThan(0);
  });

  test("are kept: a long read is never throttled", async () => {
    const settings = { maximumAvailable: 500, restoreRate: 50 };
    const { platform, control, locationId } = await start({
      catalogue: syntheticCatalogue(3000),
      bulkAbove: 5000,
      settings,
    });
    expect(await snapshotOf(platform, await locationId("First Floor"))).toHaveLength(3000);
    const { calls } = await control.calls();
    expect(calls.map(({ status: code }) => code).filter((code) => code !== 200)).toEqual([]);
    expect(calls).toHaveLength(1 + 12);
  });

  test("of a token are kept: it is renewed before its day ends and after it was revoked", async () => {
    const { platform, control, clock } = await start({ clientCredentials: true });
    await platform.shop();
    clock.advance(23.5 * 3_600_000);
    await platform.shop();
    await control.revokeTokens();
    expect(await platform.shop()).toMatchObject({ name: "Fjord" });
  });
});

test("the emulated shop's webhook is signed as we check it and names the level", async () => {
  const { control, locationId, itemId } = await start();
  const receiver = await startScriptedShop();
  receiver.will(status(200));
  await control.setWebhook({ target: { url: `${receiver.url}/hook`, secret: "hush" } });
  await control.sell({ item: "JK-S", location: VILNIUS, quantity: 1 });
  await control.deliveries();
  await receiver.close();
  const [delivery] = receiver.received;
  const body = Buffer.from(delivery?.body ?? "");
  const signature = delivery?.headers[webhookSignatureHeader];
  expect(isSignedBy("hush", body, typeof signature === "string" ? signature : undefined)).toBe(true);
  expect(levelHint(body)).toEqual({
    inventoryItemId: await itemId("JK-S"),
    shopifyLocationId: await locationId(VILNIUS),
  });
});
