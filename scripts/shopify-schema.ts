/**
 * Cuts the part of the official Shopify Admin schema that our operations reach, without descriptions, and
 * writes it where the server's tests and the stand-in shop read it.
 *
 *   tsx scripts/shopify-schema.ts [whole-schema.graphql[.gz]]
 *
 * Without a path the schema comes from the npm package `@shopify/dev-mcp` (ISC), which ships it whole.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { buildClientSchema, buildSchema, type GraphQLSchema, type IntrospectionQuery } from "graphql";
import { documents } from "../apps/server/src/shopify/documents.ts";
import { OPERATIONS } from "../apps/shopify-emulator/src/operations.ts";
import { schemaSubset } from "./schema-subset.ts";

const API_VERSION = "2026-10";
const SCHEMA_PACKAGE = "@shopify/dev-mcp@1.16.0";
const SCHEMA_IN_PACKAGE = `package/dist/data/admin_${API_VERSION}.json.gz`;
const TARGET = fileURLToPath(new URL("../apps/server/src/shopify/schema-subset.graphql", import.meta.url));

function readMaybeZipped(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}

function isIntrospection(value: unknown): value is IntrospectionQuery {
  return typeof value === "object" && value !== null && "__schema" in value;
}

function schemaFromIntrospection(text: string): GraphQLSchema {
  const parsed: unknown = JSON.parse(text);
  const introspection =
    typeof parsed === "object" && parsed !== null && "data" in parsed ? parsed.data : parsed;
  if (!isIntrospection(introspection)) throw new Error("The file holds no GraphQL introspection result.");
  return buildClientSchema(introspection, { assumeValid: true });
}

function schemaFromPackage(): GraphQLSchema {
  const folder = mkdtempSync(join(tmpdir(), "shopify-schema-"));
  try {
    execFileSync("npm", ["pack", SCHEMA_PACKAGE, "--silent", "--pack-destination", folder], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const archive = readdirSync(folder).find((name) => name.endsWith(".tgz"));
    if (!archive) throw new Error(`npm packed no archive of ${SCHEMA_PACKAGE}.`);
    execFileSync("tar", ["-xzf", join(folder, archive), "-C", folder, SCHEMA_IN_PACKAGE]);
    return schemaFromIntrospection(readMaybeZipped(join(folder, SCHEMA_IN_PACKAGE)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function wholeSchema(path: string | undefined): GraphQLSchema {
  if (path === undefined) return schemaFromPackage();
  const text = readMaybeZipped(path);
  return /\.json(\.gz)?$/.test(path)
    ? schemaFromIntrospection(text)
    : buildSchema(text, { assumeValid: true });
}

const subset = schemaSubset(wholeSchema(process.argv[2]), [
  ...Object.values(documents),
  ...Object.values(OPERATIONS),
]);
writeFileSync(
  TARGET,
  `# Made by scripts/shopify-schema.ts from the Shopify Admin schema ${API_VERSION}: only what our operations reach.\n\n${subset}`,
);
process.stdout.write(`${TARGET}: ${subset.split("\n").length} lines\n`);
