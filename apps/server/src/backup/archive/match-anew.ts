import { limits, matchWithPacks } from "@stocktake/contract";
import pg from "pg";
import { findPacks, indexSessionProducts, readSessionProducts } from "../../catalogue/catalogue.ts";
import type { ArchiveWork } from "./archive-work.ts";

interface Unmatched {
  readonly input: string;
  readonly inputType: "barcode" | "sku";
}

/**
 * Finds the products of scans that came while those were in the file, as they would have been found then: only a late scan that has its
 * product speaks against "it is not there". `table` holds the scans; the session's products are back.
 */
export async function matchAnew(
  { transaction, client }: ArchiveWork,
  table: string,
  sessionId: string,
): Promise<void> {
  const { rows } = await client.query<Unmatched>(
    `SELECT DISTINCT input, input_type AS "inputType" FROM ${pg.escapeIdentifier(table)} WHERE sku IS NULL`,
  );
  if (rows.length === 0) return;
  const index = await indexSessionProducts(await readSessionProducts(transaction, sessionId));
  const packs = await findPacks(
    transaction,
    rows.map(({ input }) => input),
  );
  const matched = rows.flatMap(({ input, inputType }) => {
    const { match, pack, tag } = matchWithPacks(index, packs, input, inputType);
    if (match.kind !== "one") return [];
    return {
      input,
      input_type: inputType,
      sku: match.product.sku,
      units: pack?.units ?? null,
      tag: tag?.key ?? null,
    };
  });
  await client.query(
    `UPDATE ${pg.escapeIdentifier(table)} late SET sku = found.sku, tag = found.tag, pack_units = found.units,
       quantity = late.quantity * coalesce(found.units, 1)
     FROM json_to_recordset($1::json) AS found (input text, input_type text, sku text, units integer, tag text)
     WHERE late.sku IS NULL AND late.input = found.input AND late.input_type = found.input_type
       AND late.quantity * coalesce(found.units, 1) <= $2`,
    [JSON.stringify(matched), limits.scanQuantity],
  );
}
