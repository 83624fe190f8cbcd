import { rm } from "node:fs/promises";
import {
  demoCatalogue,
  type Emulator,
  type EmulatorControl,
  emulatorControl,
  startEmulator,
} from "@stocktake/shopify-emulator";
import { type Product, startProduct } from "@stocktake/testkit";
import { makeDataFolder } from "./data-folder.ts";
import { type Mailbox, openMailbox } from "./mailbox.ts";

export const adminPassword = "a password for the stage";

/** The built product with everything around it: embedded PostgreSQL, Shopify's stand-in over HTTP, a real mail server. */
export interface Stage {
  readonly product: Product;
  readonly shop: EmulatorControl;
  readonly mailbox: Mailbox;
}

/** A stage with what ends it. */
export type OwnStage = Stage & { readonly close: () => Promise<void> };

/** The demo shop on the largest plan (2,000 points a second), so that the tests don't wait for the smallest one's pace. */
export function openShop(currencyCode = "USD"): Promise<Emulator> {
  const demo = demoCatalogue();
  const catalogue = { ...demo, shop: { ...demo.shop, currencyCode } };
  return startEmulator({ catalogue, settings: { maximumAvailable: 40_000, restoreRate: 2_000 } });
}

/** What a product is told of its own address and of who sends its mail. */
type Environment = (url: string, mailbox: Mailbox) => Readonly<Record<string, string>>;

const reachable: Environment = (url, mailbox) => ({ PUBLIC_URL: url, SMTP_URL: mailbox.url });

/** Starts everything on ports of its own; `close` ends it again. */
export async function openStage(currency?: string, environment = reachable): Promise<OwnStage> {
  const [emulator, mailbox, dataDir] = await Promise.all([
    openShop(currency),
    openMailbox(),
    makeDataFolder(),
  ]);
  const product = await startProduct({
    shopifyUrl: emulator.url,
    adminPassword,
    dataDir,
    environment: (url) => environment(url, mailbox),
  });
  const close = async () => {
    await product.stop();
    await rm(dataDir, { recursive: true, force: true });
    await mailbox.close();
    await emulator.close();
  };
  return { product, shop: emulatorControl(emulator.url), mailbox, close };
}
