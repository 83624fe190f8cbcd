import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { OpenDatabase } from "@stocktake/server/database/pool.ts";
import { bulkSnapshot, pollBulkQuery, runBulkMutation } from "@stocktake/server/shopify/documents.ts";
import { from as copyFromStdin } from "pg-copy-streams";

type Pool = OpenDatabase["pool"];

const apiPath = "/admin/api/2026-10/graphql.json";

async function ask(shopifyUrl: string, query: string, variables: object): Promise<unknown> {
  const response = await fetch(shopifyUrl + apiPath, {
    method: "POST",
    headers: { "content-type": "application/json", "x-shopify-access-token": "shpat_emulator" },
    body: JSON.stringify({ query, variables }),
  });
  return response.json();
}

function textAt(value: unknown, path: readonly string[]): string | null {
  const found = path.reduce<unknown>(
    (within, name) => (within !== null && typeof within === "object" ? Reflect.get(within, name) : undefined),
    value,
  );
  return typeof found === "string" ? found : null;
}

async function fileOf(shopifyUrl: string, shopifyLocationId: string): Promise<string> {
  const started = await ask(shopifyUrl, runBulkMutation, { query: bulkSnapshot(shopifyLocationId) });
  const id = textAt(started, ["data", "bulkOperationRunQuery", "bulkOperation", "id"]);
  for (;;) {
    const polled = await ask(shopifyUrl, pollBulkQuery, { id });
    const url = textAt(polled, ["data", "bulkOperation", "url"]);
    if (url !== null) return url;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The stand-in's own time from the order to the last byte, polled as fast as it allows; and the lines it returned. */
export async function handOver(shopifyUrl: string, shopifyLocationId: string) {
  const begun = performance.now();
  const response = await fetch(await fileOf(shopifyUrl, shopifyLocationId));
  const lines = Buffer.from(await response.arrayBuffer());
  return { milliseconds: performance.now() - begun, lines };
}

/** A COPY of the lines as they are into a table of one jsonb column, in milliseconds, committed. */
export async function bareCopy(pool: Pool, lines: Buffer): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query("create table bare_lines (line jsonb not null)");
    const begun = performance.now();
    // Quote and delimiter are bytes that JSON does not hold, so that every line goes in as it is.
    const copy = copyFromStdin("copy bare_lines from stdin (format csv, quote e'\\x01', delimiter e'\\x02')");
    await pipeline(Readable.from(pieces(lines)), client.query(copy));
    return performance.now() - begun;
  } finally {
    await client.query("drop table if exists bare_lines");
    client.release();
  }
}

const pieceBytes = 64 * 1024;

function* pieces(lines: Buffer): Generator<Buffer> {
  for (let from = 0; from < lines.length; from += pieceBytes) yield lines.subarray(from, from + pieceBytes);
}
