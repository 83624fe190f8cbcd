import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ScanPayload } from "@stocktake/contract";
import { createDatabase } from "@stocktake/server/database/pool.ts";
import { startEmbeddedPostgres } from "@stocktake/server/embedded-postgres/embedded.ts";

/** One statement a scan on a PostgreSQL like the product's: session look-up, product look-up, insert; durable. */
export interface BareStatements {
  run(scan: ScanPayload): Promise<void>;
  /** The same for several scans, by one insert of as many rows. */
  runMany(scans: readonly ScanPayload[]): Promise<void>;
  close(): Promise<void>;
}

const tables = `
  create table bare_sessions (id uuid primary key, status text not null);
  create table bare_products (barcode text primary key, sku text not null);
  create table bare_scans (
    id bigint generated always as identity primary key, session_id uuid not null, area text not null,
    device_id text not null, seq bigint not null, op_id uuid not null, input text not null, sku text not null,
    scanned_at timestamptz not null, unique (session_id, device_id, seq))`;

const statement = {
  name: "bare-scan",
  text: `
    with session as (select id from bare_sessions where id = $1 and status = 'active'),
      product as (select sku from bare_products where barcode = $2)
    insert into bare_scans (session_id, area, device_id, seq, op_id, input, sku, scanned_at)
    select session.id, $3, $4, $5, $6, $2, product.sku, $7 from session, product`,
};

const manyStatement = {
  name: "bare-scans",
  text: `
    insert into bare_scans (session_id, area, device_id, seq, op_id, input, sku, scanned_at)
    select session.id, scan.area, scan.device_id, scan.seq, scan.op_id, scan.input, product.sku, scan.scanned_at
    from unnest($2::text[], $3::text[], $4::bigint[], $5::uuid[], $6::text[], $7::timestamptz[])
      as scan (area, device_id, seq, op_id, input, scanned_at)
    join bare_sessions session on session.id = $1 and session.status = 'active'
    join bare_products product on product.barcode = scan.input`,
};

/** Starts a database of its own with the given session and barcodes in it. */
export async function startBareStatements(
  sessionId: string,
  barcodes: readonly string[],
  connections: number,
): Promise<BareStatements> {
  const dataDir = await mkdtemp(join(tmpdir(), "stocktake-bare-"));
  const postgres = await startEmbeddedPostgres({ dataDir });
  const { pool, close } = createDatabase(postgres.connection, { max: connections });
  await pool.query(tables);
  await pool.query("insert into bare_sessions values ($1, 'active')", [sessionId]);
  await pool.query("insert into bare_products select code, 'SKU-' || code from unnest($1::text[]) code", [
    barcodes,
  ]);
  return {
    run: async (scan) => {
      const { rowCount } = await pool.query({
        ...statement,
        values: [
          scan.sessionId,
          scan.input,
          scan.areaCode,
          scan.deviceId,
          scan.seq,
          scan.opId ?? randomUUID(),
          scan.scannedAt,
        ],
      });
      if (rowCount !== 1) throw new Error("A bare scan was not stored.");
    },
    runMany: async (scans) => {
      const { rowCount } = await pool.query({
        ...manyStatement,
        values: [
          sessionId,
          scans.map(({ areaCode }) => areaCode),
          scans.map(({ deviceId }) => deviceId),
          scans.map(({ seq }) => seq),
          scans.map(({ opId }) => opId ?? randomUUID()),
          scans.map(({ input }) => input),
          scans.map(({ scannedAt }) => scannedAt),
        ],
      });
      if (rowCount !== scans.length) throw new Error("A bare scan was not stored.");
    },
    close: async () => {
      await close();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
