import {
  type Catalogue,
  type Emulator,
  type EmulatorControl,
  emulatorControl,
  type Settings,
  startEmulator,
} from "@stocktake/shopify-emulator";
import { shopifyApiVersion } from "../documents.ts";
import { createShopifyPlatform, type ShopifyPlatform } from "../platform.ts";
import { createShopifyTransport } from "../transport.ts";
import { createTestClock, type TestClock, TIME_LIMIT_MS } from "./test-clock.ts";

export const VILNIUS = "Vilnius";
export const TARTU = "Tartu";

/** Two active locations, one closed; an item of every kind. */
const catalogue: Catalogue = {
  fingerprint: "platform-tests",
  shop: { name: "Fjord", myshopifyDomain: "fjord-tests.myshopify.com", currencyCode: "EUR" },
  locations: [{ name: VILNIUS }, { name: TARTU }, { name: "Closed", isActive: false }],
  products: [
    {
      title: "Jacket",
      variants: ["S", "M", "L"].map((size, index) => ({
        title: `Ink / ${size}`,
        sku: `JK-${size}`,
        barcode: `400000000000${index}`,
        options: [
          { name: "Colour", value: "Ink" },
          { name: "Size", value: size },
        ],
        unitCost: "12.40",
        stock: [{ available: 5 + index, committed: 2 }, { available: 1 }],
      })),
    },
    { title: "Gift card", variants: [{ sku: null, tracked: false, stock: [{}, {}] }] },
    {
      title: "Set",
      status: "DRAFT",
      variants: [{ sku: "SET-1", requiresComponents: true, stock: [{ available: 3 }] }],
    },
  ],
};

export interface EmulatedShop {
  emulator: Emulator;
  control: EmulatorControl;
  clock: TestClock;
  platform: ShopifyPlatform;
  /** The id of a location by its name. */
  locationId(name: string): Promise<string>;
  /** The id of the inventory item with this SKU. */
  itemId(sku: string): Promise<string>;
}

/** An emulated shop and our client, both on one test clock. */
export async function startEmulatedShop(
  options: {
    bulkAbove?: number;
    settings?: Partial<Settings>;
    clientCredentials?: boolean;
    catalogue?: Catalogue;
  } = {},
): Promise<EmulatedShop> {
  const clock = createTestClock();
  const { settings = {} } = options;
  const emulator = await startEmulator({
    catalogue: options.catalogue ?? catalogue,
    clock: clock.now,
    settings,
  });
  const { accessToken, clientId, clientSecret } = emulator.credentials;
  const transport = createShopifyTransport({
    apiUrl: emulator.url,
    version: shopifyApiVersion,
    auth: options.clientCredentials
      ? { kind: "client-credentials", clientId, clientSecret }
      : { kind: "token", accessToken },
    clock,
    timeouts: { call: TIME_LIMIT_MS, token: TIME_LIMIT_MS, idle: TIME_LIMIT_MS },
    random: () => 0.5,
  });
  const bulkAbove = options.bulkAbove === undefined ? {} : { bulkAbove: options.bulkAbove };
  const control = emulatorControl(emulator.url);
  return {
    emulator,
    control,
    clock,
    platform: createShopifyPlatform({ transport, clock, ...bulkAbove }),
    async locationId(name) {
      const { locations } = await control.snapshot();
      return found(locations.find((location) => location.name === name)).id;
    },
    async itemId(sku) {
      const { variants } = await control.snapshot();
      return found(variants.find((variant) => variant.sku === sku)).itemId;
    },
  };
}

function found<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Error("The emulated shop does not have it.");
  return thing;
}
