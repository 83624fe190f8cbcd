import { openForCommand } from "@stocktake/server/embedded-postgres/embedded.ts";
import { type Product, startProduct } from "@stocktake/testkit";
import { adminPassword, type Scale, untilCatalogueIsRead } from "./report/at-scale.ts";

/** Uses so many other nodes on the database of `scale`, each of which has read the shop; `settings` are further ones of theirs. */
export async function withOtherNodes(
  scale: Scale,
  count: number,
  use: (others: readonly Product[]) => Promise<void>,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  if (count === 0) return use([]);
  const { connection } = await openForCommand({ databaseUrl: null, dataDir: scale.product.dataDir });
  if (!("host" in connection)) throw new Error("The database is not the product's own.");
  const { user, database, host } = connection;
  const reach = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`;
  const environment = () => ({ DATABASE_URL: reach, ...settings });
  const others: Product[] = [];
  try {
    while (others.length < count) {
      const since = new Date();
      others.push(await startProduct({ shopifyUrl: scale.shopifyUrl, adminPassword, environment }));
      await untilCatalogueIsRead(scale.pool, since);
    }
    await use(others);
  } finally {
    for (const node of others) await node.stop();
  }
}
