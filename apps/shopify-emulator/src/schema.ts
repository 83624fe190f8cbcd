import { readFileSync } from "node:fs";
import { buildSchema, type GraphQLSchema } from "graphql";

// This file and the built bundle both lie one folder deep in the app, so that one path serves both.
const SUBSET = "../../server/src/shopify/schema-subset.graphql";

/** The part of the official Admin schema that the operations reach, without resolvers. */
export function readAdminSchema(): GraphQLSchema {
  return buildSchema(readFileSync(new URL(SUBSET, import.meta.url), "utf8"));
}
