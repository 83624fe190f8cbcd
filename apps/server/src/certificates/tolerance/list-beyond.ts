import type { BeyondTolerance, CallAnswer, CallRequest, listBeyondTolerance } from "@stocktake/contract";
import * as z from "zod/mini";
import type { Database } from "../../database/pool.ts";
import type { Caller } from "../../kernel/caller.ts";
import { pageOf } from "../../kernel/paging.ts";
import { readOfSession } from "../../reports/reports.ts";
import { type BeyondRow, isOpen, readBeyond } from "./beyond-queries.ts";

const inOrderOfSkus = {
  position: z.string(),
  positionOf: ({ sku }: BeyondRow) => sku,
  compare: (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1),
};

/** A page of the SKUs beyond tolerance that nobody has counted again, by SKU. @throws ApiError NOT_FOUND. */
export function listBeyond(
  database: Database,
  caller: Caller,
  sessionId: string,
  { which, ...page }: CallRequest<typeof listBeyondTolerance>["query"],
): Promise<CallAnswer<typeof listBeyondTolerance>> {
  return readOfSession(database, caller, sessionId, async (reader, session) => {
    const rows = (await readBeyond(reader, session)).filter((row) =>
      which === "open" ? isOpen(row) : row.said !== null,
    );
    const { items, ...rest } = pageOf(page, rows, inOrderOfSkus);
    const products = await readProducts(reader, sessionId, items);
    return { rows: items.map((row) => presentRow(row, products.get(row.sku))), ...rest };
  });
}

interface Product {
  readonly productTitle: string;
  readonly size: string | null;
}

async function readProducts(
  reader: Database,
  sessionId: string,
  rows: readonly BeyondRow[],
): Promise<ReadonlyMap<string, Product>> {
  const products = await reader
    .selectFrom("sessionItems")
    .select(["sku", "productTitle", "size"])
    .where("sessionId", "=", sessionId)
    .where("sku", "in", ["", ...rows.map(({ sku }) => sku)])
    .execute();
  return new Map(products.map(({ sku, ...product }) => [sku, product]));
}

function presentRow({ sku, counted, difference, said }: BeyondRow, product?: Product): BeyondTolerance {
  return {
    ...{ sku, productTitle: product?.productTitle ?? "", size: product?.size ?? null, counted, difference },
    said:
      said === null
        ? null
        : { reason: said.reason, by: said.by, at: said.at.toISOString(), holds: said.holds },
  };
}
