import {
  indexPacks,
  indexProducts,
  type MatchableProduct,
  matchProduct,
  type PackCode,
  type PackLookup,
  packKey,
} from "@stocktake/contract";
import { sql } from "kysely";
import type { Database } from "../../database/pool.ts";

/** Every code of a pack, in the order of the codes. */
export function readPacks(database: Database): Promise<PackCode[]> {
  return database.selectFrom("packs").select(["code", "sku", "units"]).orderBy("code").execute();
}

/** The packs that have one of the codes. */
export async function findPacks(database: Database, codes: readonly string[]): Promise<PackLookup> {
  if (codes.length === 0) return indexPacks([]);
  const keys = [...new Set(codes.map(packKey))];
  const packs = await database
    .selectFrom("packs")
    .select(["code", "sku", "units"])
    .where("codeKey", "in", keys)
    .execute();
  return indexPacks(packs);
}

/**
 * The products that have one of the codes as their own, by code: in each way that a scan of it can be read. The database names
 * those that may, as barcodes differ in leading zeros; matching itself decides.
 */
export async function ownersOf(
  database: Database,
  codes: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (codes.length === 0) return new Map();
  const { rows } = await sql<MatchableProduct & { readonly plainSku: string | null }>`
    with given as (select code, ltrim(code, '0') as bare from unnest(${codes}::text[]) as given (code))
    select item.sku, item.plain_sku, item.barcode from catalogue_items item
    where ltrim(trim(item.barcode), '0') in (select bare from given)
      or trim(item.sku) in (select code from given) or trim(item.plain_sku) in (select code from given)
      or exists (select from given where code ~ '^[0-9]{4,8}$'
        and trim(coalesce(item.plain_sku, item.sku)) like '%' || code)`.execute(database);
  const index = indexProducts(
    rows.map(({ plainSku, ...item }) => ({ ...item, ...(plainSku === null ? {} : { plainSku }) })),
  );
  return new Map(
    codes.flatMap((code) => {
      const match = matchProduct(index, code);
      if (match.kind === "none") return [];
      const owners = match.kind === "one" ? [match.product] : match.products;
      return [[code, owners.map(({ sku }) => sku)] as const];
    }),
  );
}
