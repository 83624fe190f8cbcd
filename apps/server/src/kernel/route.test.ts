import type { CallDefinition, LoginEnd } from "@stocktake/contract";
import Fastify from "fastify";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { ApiError } from "./api-error.ts";
import type { Caller } from "./caller.ts";
import { route, succeeded } from "./route.ts";

const signedIn = { userId: "u", username: "Ada", loginHash: Buffer.alloc(32) };
const admin: Caller = { ...signedIn, role: "admin" };
const counter: Caller = { ...signedIn, role: "counter", invitation: null };

const call = { method: "GET", path: "/api/it", summary: "It.", access: "public" } as const;

/** A server of one call, as its definition has it; what a caller gets from it. */
async function serve(
  definition: CallDefinition,
  { caller = null, loginEnd = null, method = definition.method, beforeBody, payload, ...options }: Given = {},
) {
  const app = Fastify();
  const served: unknown[] = [];
  const configs: unknown[] = [];
  app.addHook("onRoute", ({ schema, method: verb, config, compress }) => {
    served.push({ schema: { ...schema }, verb });
    configs.push({ confirmsCaller: config?.confirmsCaller, turns: config?.turns, compress });
  });
  app.addHook("onRequest", async (request) => {
    request.caller = caller;
    request.loginEnd = loginEnd;
  });
  // The schemas are zod's; here they are only looked at.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (body) => JSON.stringify(body));
  app.setErrorHandler((error, _request, reply) => {
    const refused = error instanceof ApiError ? error : new Error(String(error));
    return reply.code(418).send(refused instanceof ApiError ? { ...refused.extras, code: refused.code } : {});
  });
  route(
    app,
    definition,
    async ({ caller: seen, reply }) => reply.send({ caller: seen?.username ?? "nobody" }),
    beforeBody === undefined ? options : { ...options, beforeBody },
  );
  const response = await app.inject({
    ...{ method, url: definition.path },
    ...(payload === undefined ? {} : { payload, headers: { "Content-Type": "application/json" } }),
  });
  await app.close();
  return {
    status: response.statusCode,
    body: response.body === "" ? null : response.json(),
    served,
    configs,
  };
}

interface Given {
  readonly caller?: Caller | null;
  readonly loginEnd?: LoginEnd | null;
  readonly method?: "GET" | "HEAD" | CallDefinition["method"];
  readonly beforeBody?: () => void;
  readonly payload?: string;
  readonly confirmsCaller?: boolean;
  readonly isSmall?: boolean;
  readonly isBatch?: boolean;
}

const refused = (code: string, more: object = {}) => ({ status: 418, body: { code, ...more } });
const served = (name: string, status = 200) => ({ status, body: { caller: name } });

test.each([
  ["public", "a stranger", null, served("nobody")],
  ["public", "a counter", counter, served("Ada")],
  ["signed-in", "a stranger", null, refused("UNAUTHENTICATED")],
  ["signed-in", "a counter", counter, served("Ada")],
  ["signed-in", "an administrator", admin, served("Ada")],
  ["admin", "a stranger", null, refused("UNAUTHENTICATED")],
  ["admin", "a counter", counter, refused("FORBIDDEN")],
  ["admin", "an administrator", admin, served("Ada")],
] as const)("a call for %s, made by %s", async (access, _who, caller, expected) => {
  expect(await serve({ ...call, access }, { caller })).toMatchObject(expected);
});

test("a login that is over says why, and one of which nothing is known says nothing", async () => {
  const access = "signed-in";
  const { body } = await serve({ ...call, access });
  expect(body).toEqual({ code: "UNAUTHENTICATED" });
  expect((await serve({ ...call, access }, { loginEnd: "session_over" })).body).toEqual({
    ...{ code: "UNAUTHENTICATED", loginEnd: "session_over" },
  });
});

test("a call that has nothing else to return says that it succeeded", () => {
  expect(succeeded).toEqual({ success: true });
});

test("a call returns the status of its definition, else 200", async () => {
  expect((await serve(call)).status).toBe(200);
  expect((await serve({ ...call, status: 201 })).status).toBe(201);
});

test("only what has a body of JSON can be asked for its head alone", async () => {
  const answer = z.object({ caller: z.string() });
  expect((await serve({ ...call, answer }, { method: "HEAD" })).status).toBe(200);
  expect((await serve({ ...call, media: "text/csv" }, { method: "HEAD" })).status).toBe(404);
});

test("what a call takes and returns is described by its definition, and nothing that it does not have", async () => {
  const [params, query, headers] = [z.object({}), z.object({}), z.object({})];
  const [body, answer] = [z.object({}), z.object({})];
  const schemaOf = async (definition: CallDefinition) => (await serve(definition)).served[0];
  // Fastify warns of what is there and undefined.
  expect(await schemaOf(call)).toStrictEqual({
    ...{ verb: "GET" },
    schema: { summary: "It.", security: [], response: { default: expect.anything() } },
  });
  const full = { ...call, method: "POST", access: "admin", params, query, headers, body, answer } as const;
  expect(await schemaOf(full)).toEqual({
    ...{ verb: "POST" },
    schema: {
      ...{ summary: "It.", security: [{ login: [] }], params, querystring: query, headers, body },
      response: { "2xx": answer, default: expect.anything() },
    },
  });
  expect(await schemaOf({ ...call, media: "text/csv" })).toMatchObject({
    schema: { response: { "2xx": { content: { "text/csv": { schema: expect.anything() } } } } },
  });
});

test.each([
  ["a list for whoever is signed in", { access: "signed-in", answer: z.object({}) }, {}, "lists"],
  ["a batch", { method: "POST", access: "signed-in", answer: z.object({}) }, { isBatch: true }, "batches"],
  ["a change", { method: "POST", access: "signed-in", answer: z.object({}) }, {}, null],
  ["a list for the administrator", { access: "admin", answer: z.object({}) }, {}, null],
  ["a stream or a file", { access: "signed-in", media: "text/csv" }, {}, null],
] as const)("%s takes its turn among such calls of its caller", async (_what, changes, options, turns) => {
  const { configs } = await serve({ ...call, ...changes }, options);
  expect(configs[0]).toEqual({ confirmsCaller: false, turns, compress: undefined });
});

test("a call that confirms its caller itself says so, and one whose answer is small is not compressed", async () => {
  const { configs } = await serve(call, { confirmsCaller: true, isSmall: true });
  expect(configs[0]).toEqual({ confirmsCaller: true, turns: null, compress: false });
});

test("what comes before the body is asked after who calls, and before the body is read", async () => {
  const definition: CallDefinition = { ...call, method: "POST", access: "signed-in" };
  const beforeBody = () => {
    throw new ApiError("OVERLOADED", "Full.", { retryAfterSeconds: 2 });
  };
  const payload = "{ this is no JSON";
  expect(await serve(definition, { payload, beforeBody })).toMatchObject(refused("UNAUTHENTICATED"));
  expect(await serve(definition, { payload, beforeBody, caller: counter })).toMatchObject(
    refused("OVERLOADED"),
  );
  expect(await serve(definition, { payload, caller: counter })).toMatchObject({ status: 418, body: {} });
});
