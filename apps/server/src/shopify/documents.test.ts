import { readFileSync } from "node:fs";
import { buildSchema, parse, validate } from "graphql";
import { describe, expect, test } from "vitest";
import * as module from "./documents.ts";

const { documents, bulkSnapshot, shopifyApiVersion } = module;
const schema = buildSchema(readFileSync(new URL("./schema-subset.graphql", import.meta.url), "utf8"));

describe("the documents sent to the platform", () => {
  test.each(Object.entries(documents))("%s is valid against the schema of our API version", (_name, text) => {
    expect(validate(schema, parse(text)).map((error) => error.message)).toEqual([]);
  });

  test("every exported text is among them", () => {
    const texts = Object.values(module).filter((value) => typeof value === "string");
    const listed = new Set([...Object.values(documents), shopifyApiVersion]);
    expect(texts.filter((text) => !listed.has(text))).toEqual([]);
  });

  test("the bulk snapshot carries its location in the text and refuses anything else", () => {
    expect(bulkSnapshot("gid://shopify/Location/106318430514")).toContain(
      '"gid://shopify/Location/106318430514"',
    );
    expect(() => bulkSnapshot('gid://shopify/Location/1") { id } shop { id } #')).toThrow(RangeError);
    expect(() => bulkSnapshot("gid://shopify/Product/1")).toThrow(RangeError);
  });
});
