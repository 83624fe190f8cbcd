import type { KeptPack } from "@stocktake/contract";
import type { Database } from "../../database/pool.ts";
import { byNames, type Page, type PageRequest, pageOf } from "../../kernel/paging.ts";
import { ownersOf } from "./pack-queries.ts";

/** A page of the codes of packs, each with its product, and with what has made it a product's own code since. */
export async function listPackCodes(database: Database, request: PageRequest): Promise<Page<KeptPack>> {
  const rows = await database
    .selectFrom("packs")
    .leftJoin("catalogueItems as item", "item.sku", "packs.sku")
    .select(["packs.code", "packs.sku", "packs.units", "packs.changedAt", "packs.changedBy"])
    .select(["item.productTitle", "item.size"])
    .execute();
  const page = pageOf(
    request,
    rows,
    byNames(({ code }) => [code]),
  );
  const owners = await ownersOf(
    database,
    page.items.map(({ code }) => code),
  );
  const packs = page.items.map(({ changedAt, ...row }) => ({
    ...row,
    ownCodeOf: [...(owners.get(row.code) ?? [])],
    changedAt: changedAt.toISOString(),
  }));
  return { ...page, items: packs };
}
