import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { constants, createGzip } from "node:zlib";
import type { Product } from "@stocktake/contract";
import { type RawBuilder, sql } from "kysely";
import { readByCursor } from "../database/cursor.ts";
import type { Database, Transaction } from "../database/pool.ts";
import { notFound } from "../kernel/api-error.ts";
import { readPacks } from "./packs/pack-queries.ts";
import type { PreparedMap } from "./products.ts";

/** Bytes of all the maps that are kept: 100,000 products take one or two million. */
const bytesCached = 64 * 1024 * 1024;
const productsPerPiece = 1000;

interface Kept {
  readonly version: string;
  readonly map: Promise<PreparedMap>;
  bytes: number;
}

/** Where a store's products come from just now. */
interface Source {
  /** Changes whenever the products may have. */
  readonly version: string;
  readonly sessionId: string | null;
}

/** The stores' product maps as they are sent, each made once for each version; the ones asked for last are kept. */
export class ProductMaps {
  private readonly database: Database;
  private readonly kept = new Map<string, Kept>();

  constructor(database: Database) {
    this.database = database;
  }

  async of(storeId: string): Promise<PreparedMap> {
    const source = await findSource(this.database, storeId);
    const present = this.kept.get(storeId);
    this.kept.delete(storeId);
    const kept = present?.version === source.version ? present : this.prepare(storeId, source);
    this.kept.set(storeId, kept);
    return kept.map;
  }

  private prepare(storeId: string, source: Source): Kept {
    const kept: Kept = { version: source.version, map: prepareMap(this.database, storeId, source), bytes: 0 };
    kept.map.then(
      (map) => {
        kept.bytes = map.gzip.length;
        this.makeRoom(storeId);
      },
      // Whoever waits for the map is told; the next one tries again.
      () => this.kept.delete(storeId),
    );
    return kept;
  }

  private makeRoom(newest: string): void {
    let bytes = [...this.kept.values()].reduce((sum, map) => sum + map.bytes, 0);
    for (const [storeId, map] of [...this.kept]) {
      if (bytes <= bytesCached) return;
      if (storeId === newest || map.bytes === 0) continue;
      this.kept.delete(storeId);
      bytes -= map.bytes;
    }
  }
}

async function findSource(database: Database, storeId: string): Promise<Source> {
  const row = await database
    .selectFrom("stores")
    .leftJoin("sessions", (join) =>
      join.onRef("sessions.storeId", "=", "stores.id").on("sessions.status", "in", ["active", "ending"]),
    )
    .select(["sessions.id as sessionId", "sessions.catalogueVersion as sessionVersion"])
    .select((select) => select.selectFrom("installation").select("catalogueVersion").as("shopVersion"))
    .select((select) => select.selectFrom("installation").select("packsVersion").as("packsVersion"))
    .where("stores.id", "=", storeId)
    .executeTakeFirst();
  if (row === undefined) throw notFound("The store");
  const { sessionId, sessionVersion, shopVersion, packsVersion } = row;
  const products = sessionId === null ? `shop:${shopVersion}` : `${sessionId}:${sessionVersion}`;
  const version = `${products}:${packsVersion}`;
  return { version, sessionId };
}

function prepareMap(database: Database, storeId: string, source: Source): Promise<PreparedMap> {
  // A cursor lives in a transaction.
  return database.transaction().execute((transaction) => writeMap(transaction, storeId, source.sessionId));
}

/** Puts a map together piece by piece: one is compressed, on another thread, while the next is made and the one after it read. */
async function writeMap(
  transaction: Transaction,
  storeId: string,
  sessionId: string | null,
): Promise<PreparedMap> {
  const packs = JSON.stringify(await readPacks(transaction));
  const hash = createHash("sha256");
  let etag = "";
  async function* texts(): AsyncGenerator<string> {
    let separator = "";
    yield '{"products":[';
    for await (const rows of readByCursor(transaction, rowsOf(sessionId), productsPerPiece)) {
      const text = JSON.stringify(rows.map((row) => productOf(row, storeId))).slice(1, -1);
      hash.update(text);
      yield separator + text;
      separator = ",";
    }
    // Without packs the ETag is that of the release before, so that no device fetches again what it has.
    if (packs !== "[]") hash.update(packs);
    etag = `"${hash.digest("base64url")}"`;
    yield `],"packs":${packs},"etag":${JSON.stringify(etag)}}`;
  }
  const gzip = await pipeline(texts, createGzip({ level: constants.Z_BEST_SPEED }), buffer);
  return { etag, gzip };
}

interface Row extends Omit<Product, "plainSku" | "storeId"> {
  readonly plainSku: string | null;
}

function rowsOf(sessionId: string | null): RawBuilder<Row> {
  const items =
    sessionId === null ? sql`catalogue_items` : sql`session_items where session_id = ${sessionId}`;
  return sql`select sku, plain_sku, barcode, product_title, size, image from ${items} order by sku`;
}

function productOf(row: Row, storeId: string): Product {
  return {
    sku: row.sku,
    ...(row.plainSku === null ? {} : { plainSku: row.plainSku }),
    barcode: row.barcode,
    productTitle: row.productTitle,
    size: row.size,
    image: row.image,
    storeId,
  };
}
