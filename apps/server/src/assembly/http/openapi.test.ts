import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { loginCookie } from "../../auth/auth.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { nameOf, samples } from "./testing.ts";
import { sendRaw } from "./testing-raw.ts";

const Schema = z.record(z.string(), z.unknown());
const Content = z.record(z.string(), z.object({ schema: Schema }));
const Operation = z.object({
  parameters: z.optional(
    z.array(
      z.object({
        name: z.string(),
        in: z.enum(["path", "query", "header"]),
        required: z.optional(z.boolean()),
        schema: Schema,
      }),
    ),
  ),
  summary: z.string().check(z.minLength(1)),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  requestBody: z.optional(z.object({ content: Content })),
  responses: z.record(
    z.string().check(z.regex(/^(?:[1-5]XX|\d{3}|default)$/)),
    z.object({
      description: z.string(),
      content: z.optional(Content),
    }),
  ),
});
const Document = z.object({
  openapi: z.string().check(z.regex(/^3\.1\.\d+$/)),
  info: z.object({ title: z.string(), version: z.string() }),
  components: z.object({
    securitySchemes: z.record(z.string(), z.object({ type: z.string(), in: z.string(), name: z.string() })),
  }),
  paths: z.record(
    z.string().check(z.startsWith("/api/")),
    z.partialRecord(z.enum(["get", "post", "put", "delete"]), Operation),
  ),
});
type Operation = z.infer<typeof Operation>;

let server: TestServer;
let raw: unknown;
let document: z.infer<typeof Document>;

beforeAll(async () => {
  server = await startTestServer();
  raw = (await sendRaw(server.url, "/api/openapi.json")).body;
  document = z.parse(Document, raw);
});
afterAll(() => server.close());

const inOpenApi = ({ path }: contract.CallDefinition) => path.replaceAll(/:(\w+)/g, "{$1}");

function operationOf(call: contract.CallDefinition): Operation | undefined {
  const operations = document.paths[inOpenApi(call)];
  const methods = {
    GET: operations?.get,
    POST: operations?.post,
    PUT: operations?.put,
    DELETE: operations?.delete,
  };
  return methods[call.method];
}

/** The names of an object's fields; none for what is no object. */
function namesIn(schema: z.core.$ZodType | undefined, io: "input" | "output"): string[] {
  if (schema === undefined) return [];
  const { properties = {} } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return Object.keys(properties).sort();
}

const propertiesOf = (schema: z.infer<typeof Schema> | undefined) =>
  Object.keys(Object(schema?.properties)).sort();

describe("the OpenAPI document", () => {
  test("holds the calls of the contract and no others", () => {
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map(
        (method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
      ),
    );
    expect(described.sort()).toEqual(contract.allCalls.map(nameOf).sort());
  });

  test("leads nowhere that it does not hold", () => {
    const text = JSON.stringify(raw);
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, pointer = ""]) => pointer);
    for (const pointer of references) {
      const found = pointer.split("/").reduce<unknown>((part, name) => Object(part)[name], raw);
      expect([pointer, typeof found]).toEqual([pointer, "object"]);
    }
  });

  const calls = samples.map(({ name, call }) => [name, call] as const);
  test.each(calls)("says what %s takes", (_name, call) => {
    const { parameters = [], requestBody } = operationOf(call) ?? {};
    const named = (place: "path" | "query" | "header") =>
      parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name }) => name)
        .sort();
    expect(named("path")).toEqual([...call.path.matchAll(/:(\w+)/g)].map(([, name]) => name).sort());
    expect(parameters.filter((parameter) => parameter.in === "path").every(({ required }) => required)).toBe(
      true,
    );
    expect(named("query")).toEqual(namesIn(call.query, "input"));
    expect(named("header")).toEqual(namesIn(call.headers, "input"));
    const body = requestBody?.content["application/json"]?.schema;
    expect(body !== undefined).toBe(call.body !== undefined);
    expect(propertiesOf(body)).toEqual(namesIn(call.body, "input"));
  });

  test.each(calls)("says who may call %s", (_name, call) => {
    const schemes = operationOf(call)?.security.flatMap((scheme) => Object.keys(scheme)) ?? [];
    expect(schemes.length).toBe(call.access === "public" ? 0 : 1);
    const cookie = { type: "apiKey", in: "cookie", name: loginCookie };
    for (const scheme of schemes) expect(document.components.securitySchemes[scheme]).toEqual(cookie);
  });

  test.each(calls)("says what %s answers, rightly and as a refusal", (_name, call) => {
    const { responses = {} } = operationOf(call) ?? {};
    expect(propertiesOf(responses.default?.content?.["application/json"]?.schema)).toEqual(
      namesIn(contract.ErrorBody, "output"),
    );
    const content = responses["2XX"]?.content ?? {};
    expect(Object.keys(content)).toEqual(
      call.media !== undefined ? [call.media] : call.answer === undefined ? [] : ["application/json"],
    );
    const answer = content["application/json"]?.schema;
    expect(answer !== undefined).toBe(call.answer !== undefined);
    expect(propertiesOf(answer)).toEqual(namesIn(call.answer, "output"));
  });
});
