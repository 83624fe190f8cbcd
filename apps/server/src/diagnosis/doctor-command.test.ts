import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { freePort } from "@stocktake/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../kernel/config.ts";
import type { TestServer } from "../testing/test-server.ts";
import { runDoctor } from "./doctor-command.ts";
import { startServer } from "./testing.ts";

let server: TestServer;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "stocktake-doctor-"));
  server = await startServer();
  await server.context.catalogue.refresh();
});
afterAll(async () => {
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** The test database's address, where it has only the parts of one. */
function databaseUrl(): string {
  const { connection } = server.database;
  if ("connectionString" in connection) return connection.connectionString;
  const { host, port = 5432, user, database } = connection;
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

/** The environment of the running server, as its service's file would give it. */
function environment(): Record<string, string> {
  return {
    PORT: new URL(server.url).port,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl(),
    SHOPIFY_SHOP: server.emulator.store.shop.myshopifyDomain,
    SHOPIFY_CLIENT_ID: server.emulator.credentials.clientId,
    SHOPIFY_CLIENT_SECRET: server.emulator.credentials.clientSecret,
    SHOPIFY_API_URL: server.emulator.url,
  };
}

async function run(given: Record<string, string>, ...args: string[]) {
  const [output, errors] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(output), text(errors)]);
  const code = await runDoctor({ args, readConfig: () => readConfig(given), output, errors });
  output.end();
  errors.end();
  const [out, error] = await printed;
  return { code, out, error };
}

describe("the doctor", () => {
  test("finds what Settings shows, says what to do, and ends with 0 where nothing failed", async () => {
    const { code, out } = await run(environment());
    expect(out).toMatch(/^ok {8}Server {9}The server is responding at http:\/\/127\.0\.0\.1:\d+\.$/m);
    expect(out).toMatch(/^ok {8}Shopify {8}Connected to .* with the app's client id and secret\.$/m);
    expect(out).toMatch(/^warning {3}Configuration {2}PUBLIC_URL is not set.*\n {25}→ Set PUBLIC_URL/m);
    expect(out).not.toContain(server.emulator.credentials.clientSecret);
    // The tests' database is not durable, and that is what the doctor is for.
    expect(out.match(/^FAILED.*/gm)).toEqual([expect.stringContaining("fsync off")]);
    expect(code).toBe(1);
  });

  test("prints the same as JSON for programs", async () => {
    const { out } = await run(environment(), "--json");
    const { findings } = JSON.parse(out);
    expect(findings).toContainEqual(expect.objectContaining({ check: "scopes", status: "ok" }));
  });

  test("names every bad variable and ends with 1", async () => {
    const { code, out } = await run({ PORT: "many", TRUST_PROXY: "perhaps" });
    expect(code).toBe(1);
    expect(out.match(/^FAILED.*/gm)).toEqual([
      expect.stringContaining("PORT must be"),
      expect.stringContaining("TRUST_PROXY must be"),
    ]);
  });

  test("says that the server does not run, and makes no database in its place", async () => {
    const { DATABASE_URL: _url, ...embedded } = environment();
    const { code, out } = await run({ ...embedded, PORT: String(await freePort()) });
    expect(code).toBe(1);
    expect(out).toMatch(/^FAILED {4}Server .*ECONNREFUSED.*\n.*systemctl start stocktake/m);
    expect(out).toMatch(/^not used {2}Database {7}There is no database yet/m);
    expect(existsSync(join(dataDir, "postgres"))).toBe(false);
  });

  test("goes on where the database is away", async () => {
    const { code, out } = await run({ ...environment(), DATABASE_URL: "postgres://x@127.0.0.1:1/x" });
    expect(code).toBe(1);
    expect(out).toMatch(/^FAILED {4}Database {7}The database can't be read: .*ECONNREFUSED/m);
    expect(out).toMatch(/^ok {8}Shopify/m);
  });

  test("takes no other option", async () => {
    const { code, error } = await run({}, "--verbose");
    expect([code, error]).toEqual([2, "Usage: doctor [--json]\n"]);
  });
});
