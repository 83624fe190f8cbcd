import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { adminLogin } from "@stocktake/contract";
import { createDatabase, type OpenDatabase } from "@stocktake/server/database/pool.ts";
import { openForCommand } from "@stocktake/server/embedded-postgres/embedded.ts";
import { type Catalogue, startEmulator, syntheticCatalogue } from "@stocktake/shopify-emulator";
import { ApiClient, type Product, startProduct } from "@stocktake/testkit";

type Pool = OpenDatabase["pool"];

/** The administrator's password of every product at scale. */
export const adminPassword = "the bench's own password";

/** The built product on a large shop, with the administrator signed in and a connection to its database. */
export interface Scale {
  readonly product: Product;
  readonly admin: ApiClient;
  readonly pool: Pool;
  readonly shopifyUrl: string;
}

/** Uses a product on the shop; one use comes after the other on the same data, each on a server that has just started. */
type Serve = <Result>(use: (scale: Scale) => Promise<Result>) => Promise<Result>;

/**
 * A shop of so many variants with two locations. Ten units of each variant on average in the first, so that a full count is ten
 * scans a variant; nothing in the second, unless `stocksBoth`.
 */
export function shopOf(variants: number, { stocksBoth = false } = {}): Catalogue {
  const catalogue = syntheticCatalogue(variants);
  let number = 0;
  const products = catalogue.products.map((product) => ({
    ...product,
    variants: product.variants.map((variant) => {
      number += 1;
      const stock = { available: (number * 8) % 21 };
      return { ...variant, stock: [stock, stocksBoth ? stock : null] };
    }),
  }));
  return { ...catalogue, products };
}

/** Runs `work` beside a stand-in for the shop; the data is gone afterwards. */
export async function onScale(catalogue: Catalogue, work: (serve: Serve) => Promise<void>): Promise<void> {
  // A shop that has lain still: what an end reads again is what changed lately.
  const stockedAt = Date.now() - 24 * 60 * 60_000;
  const emulator = await startEmulator({ catalogue, stockedAt });
  try {
    await onShop(emulator.url, work);
  } finally {
    await emulator.close();
  }
}

/** As `onScale`, beside a stand-in that runs already. */
export async function onShop(shopifyUrl: string, work: (serve: Serve) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "stocktake-scale-"));
  try {
    await work((use) => serveOnce({ dataDir, shopifyUrl }, use));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function serveOnce<Result>(
  { dataDir, shopifyUrl }: { readonly dataDir: string; readonly shopifyUrl: string },
  use: (scale: Scale) => Promise<Result>,
): Promise<Result> {
  const since = new Date();
  const product = await startProduct({ shopifyUrl, adminPassword, dataDir });
  const { connection } = await openForCommand({ databaseUrl: null, dataDir });
  const { pool, close } = createDatabase(connection, { max: 1 });
  try {
    await untilCatalogueIsRead(pool, since);
    const admin = new ApiClient(product.url);
    await admin.call(adminLogin, { body: { password: adminPassword } });
    return await use({ product, admin, pool, shopifyUrl });
  } finally {
    await close();
    await product.stop();
  }
}

/** The server reads the shop when it starts, as `since`; only then do the measures have the stand-in to themselves. */
export async function untilCatalogueIsRead(pool: Pool, since: Date): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query("select from installation where catalogue_read_at >= $1", [since]);
    if (rowCount === 1) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
