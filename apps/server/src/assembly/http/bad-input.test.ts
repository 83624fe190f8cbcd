import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Answered } from "../../testing/test-api.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import {
  type AnyGiven,
  givenTo,
  make,
  nameOf,
  nowhere,
  refusalOf,
  type Scene,
  samples,
  setScene,
} from "./testing.ts";
import { sendRaw } from "./testing-raw.ts";

let server: TestServer;
let scene: Scene;

beforeAll(async () => {
  server = await startTestServer();
  scene = await setScene(server);
});
afterAll(() => server.close());

const withBody = samples.filter(({ call }) => call.body !== undefined);
const bodies = withBody.map(({ name, call }) => [name, call] as const);

function addressOf(call: contract.CallDefinition): string {
  const { params, query } = givenTo(call, scene.place);
  return contract.callAddress(call, params, query);
}

function sendBody(call: contract.CallDefinition, body: string, type = "application/json"): Promise<Answered> {
  return sendRaw(server.url, addressOf(call), {
    method: call.method,
    token: server.admin.token,
    headers: { "content-type": type },
    body,
  });
}

describe("a body that is no JSON object", () => {
  test.each(bodies)("is refused by %s, whatever it is instead", async (_name, call) => {
    for (const body of ["{", '{"a":}', "undefined", "'a'", "\u0000", "[]", '"text"', "5", "1e999", "true"]) {
      const answer = await sendBody(call, body);
      expect([body, refusalOf(answer).code]).toEqual([body, "VALIDATION"]);
    }
  });

  const mayBeAbsent: readonly contract.CallDefinition[] = [
    contract.deployReport,
    contract.rollbackReport,
    contract.releaseSession,
  ];
  const needing = bodies.filter(([, call]) => !mayBeAbsent.includes(call));
  test.each(needing)("is refused by %s when there is none", async (_name, call) => {
    for (const body of ["", "  ", "null"]) {
      expect(refusalOf(await sendBody(call, body)).code).toBe("VALIDATION");
    }
    const answer = await server.admin.request(call.method, addressOf(call));
    expect(refusalOf(answer).code).toBe("VALIDATION");
  });

  test.each(bodies)("is refused by %s when it is larger than 1 MiB", async (_name, call) => {
    const body = JSON.stringify({ padding: "x".repeat(contract.limits.bodyBytes) });
    expect(refusalOf(await sendBody(call, body)).code).toBe("PAYLOAD_TOO_LARGE");
  });

  const writing = samples
    .filter(({ call }) => call.method !== "GET" && call !== contract.shopifyWebhook)
    .map(({ name, call }) => [name, call] as const);
  test.each(writing)("is refused by %s when it is said to be something else", async (_name, call) => {
    const types = [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=a",
      "json",
    ];
    for (const type of types) {
      expect(refusalOf(await sendBody(call, '{"a":1}', type)).code).toBe("UNSUPPORTED_MEDIA_TYPE");
    }
  });
});

type Path = readonly string[];

/** Every field of a body, those within its lists too. The fields of a batch's scans are refused in the scans' own answers. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const here = [...path, name];
    if (name === "scans") return [];
    return [...(Array.isArray(value) ? [] : [here]), ...pathsIn(part, here)];
  });
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce((part, name) => Object(part)[name] as unknown, value);
}

/** The value with another one in the place that the path leads to. */
function replaced(value: unknown, [name, ...rest]: Path, by: unknown): unknown {
  if (name === undefined) return by;
  const inside = replaced(valueAt(value, [name]), rest, by);
  return Array.isArray(value) ? value.with(Number(name), inside) : { ...Object(value), [name]: inside };
}

const fields = withBody.flatMap(({ name, call, given }) =>
  pathsIn(given(nowhere).body).map((path) => [name, path.join("."), call, path] as const),
);
type FieldCase = (typeof fields)[number];

async function refusalWith(call: contract.CallDefinition, path: Path, value: unknown) {
  const given: AnyGiven = givenTo(call, scene.place);
  return refusalOf(await make(server.admin, call, { ...given, body: replaced(given.body, path, value) }));
}

/** The fields that an error names, those within the given one as that one. */
function namedIn({ details = [] }: contract.ErrorBody, field: string): string[] {
  return details.map((detail) => (detail.field.startsWith(`${field}.`) ? field : detail.field));
}

async function expectNamed([, field, call, path]: FieldCase, value: unknown): Promise<void> {
  const error = await refusalWith(call, path, value);
  expect([value, error.code, namedIn(error, field)]).toEqual([
    value,
    "VALIDATION",
    expect.arrayContaining([field]),
  ]);
}

/** What chooses by fields that may all be absent: an object without any of them means everything. */
const maySayNothing = new Set(["every"]);

describe("a field", () => {
  test.each(fields)("of %s that is of no fitting type is named: %s", async (...field) => {
    const [, , call, path] = field;
    const isList = Array.isArray(valueAt(givenTo(call, scene.place).body, path));
    const lists = isList ? [[], [5]] : [[], ["a"]];
    const objects = maySayNothing.has(path.at(-1) ?? "") ? [] : [{}, { $gt: "" }];
    for (const wrong of [...lists, ...objects, Number.MIN_VALUE, -1.5]) await expectNamed(field, wrong);
  });

  const numbers = fields.filter(([, , , path]) =>
    /seq|pass|newCount|declaredTotal|pending/i.test(path.at(-1) ?? ""),
  );
  test.each(numbers.filter(([, , , path]) => !/password/i.test(path.at(-1) ?? "")))(
    "of %s that is no whole number within bounds is named: %s",
    async (...field) => {
      for (const wrong of [-1, 2 ** 53, 1e300, "5", "NaN", "Infinity", true]) await expectNamed(field, wrong);
    },
  );

  const ids = fields.filter(
    ([, , , path]) => /Id$/.test(path.at(-1) ?? "") && !/^(?:device|op|shopify)/.test(path.at(-1) ?? ""),
  );
  test.each(ids)("of %s that is a malformed id names nothing: %s", async (_name, _field, call, path) => {
    for (const id of ["", "1", "null", "' or 1=1 --", "\u0000", "\ud800", "x".repeat(5000), "../../etc"]) {
      expect([id, (await refusalWith(call, path, id)).code]).toEqual([id, "NOT_FOUND"]);
    }
  });

  /** A password that is only checked is refused as wrong, whatever it holds; an enumeration has no such text. */
  const texts = fields.filter(
    ([, , call, path]) =>
      typeof valueAt(givenTo(call, nowhere).body, path) === "string" && !ids.some((id) => id[3] === path),
  );
  const stored = texts.filter(
    ([, field, call]) => field !== "currentPassword" && !(call.access === "public" && field === "password"),
  );
  test.each(stored)("of %s with characters that can't be stored is named: %s", async (...field) => {
    for (const text of ["a\u0000b12345", "\u0000", "abcdefg\ud800", "\udfffabcdefg", "abcdef\u0007"]) {
      await expectNamed(field, text);
    }
  });

  test.each(texts)(
    "of %s that is missing, empty or blank makes nothing break: %s",
    async (_name, _field, call, path) => {
      const given = givenTo(call, scene.place);
      for (const text of [undefined, null, "", " \t\n"]) {
        const answer = await make(server.admin, call, { ...given, body: replaced(given.body, path, text) });
        if (answer.status >= 400) expect(refusalOf(answer).code).not.toBe("INTERNAL");
      }
    },
  );
});

describe("a text at its limit is taken, one beyond it is named", () => {
  const long = (length: number) => "x".repeat(length);
  const address = (length: number) => `${`${long(60)}@${"b.".repeat(200)}`.slice(0, length - 3)}com`;
  const { limits } = contract;
  const cases: (readonly [contract.CallDefinition, string, number, (length: number) => unknown])[] = [
    [contract.createLocation, "name", limits.name, long],
    [contract.updateLocation, "name", limits.name, long],
    [contract.updateArea, "name", limits.name, long],
    [contract.createAreas, "areas.0.code", limits.areaCode, long],
    [contract.createAreas, "areas.0.name", limits.name, long],
    [contract.createStore, "name", limits.name, long],
    [contract.updateStore, "name", limits.name, long],
    [contract.createCounter, "username", limits.name, long],
    [contract.createCounter, "password", limits.passwordMaximum, long],
    [contract.createInvitation, "counterName", limits.name, long],
    [contract.createInvitation, "email", limits.email, address],
    [contract.counterLogin, "password", limits.passwordMaximum, long],
    [contract.counterLogin, "username", limits.name, long],
    [contract.adjustCount, "reason", limits.reason, long],
    [contract.adjustCount, "newCount", limits.quantity, (number) => number],
    [contract.finishArea, "declaredTotal", limits.quantity, (number) => number],
    [contract.finishArea, "deviceId", limits.deviceId, long],
    [contract.undoScan, "areaCode", limits.areaCode, (length) => "y".repeat(length)],
    [contract.postScan, "seq", Number.MAX_SAFE_INTEGER, (number) => number],
    [contract.postScan, "input", limits.sku, (length) => "🧵".repeat(length)],
    [contract.postScan, "deviceId", limits.deviceId, long],
    [contract.postScanBatch, "scans", limits.scansPerCall, (length) => Array.from({ length }, () => ({}))],
    [
      contract.createAreas,
      "areas",
      limits.areasPerCall,
      (length) => Array.from({ length }, (_nothing, place) => ({ code: `P${place}` })),
    ],
  ];
  test.each(cases.map((entry) => [nameOf(entry[0]), entry[1], ...entry] as const))(
    "%s: %s",
    async (_name, _field, call, field, limit, of) => {
      const given = givenTo(call, scene.place);
      const send = (value: unknown) =>
        make(server.admin, call, { ...given, body: replaced(given.body, field.split("."), value) });
      const beyond = refusalOf(await send(of(limit + 1)));
      expect([beyond.code, namedIn(beyond, field)]).toEqual(["VALIDATION", [field]]);
      const answer = await send(of(limit));
      if (answer.status >= 400) expect(refusalOf(answer).code).not.toMatch(/VALIDATION|INTERNAL/);
    },
  );

  test("a scan's input that is no SKU is at most as long as a barcode can be", async () => {
    const { body } = givenTo(contract.postScan, scene.place);
    const send = (length: number) => {
      const scan = { ...Object(body), inputType: "barcode", input: long(length) };
      return make(server.admin, contract.postScan, { body: scan });
    };
    const beyond = refusalOf(await send(limits.scanInput + 1));
    expect([beyond.code, namedIn(beyond, "input")]).toEqual(["VALIDATION", ["input"]]);
    expect(refusalOf(await send(limits.scanInput)).code).not.toMatch(/VALIDATION|INTERNAL/);
  });

  test("a new password has at least 6 characters", async () => {
    const given = givenTo(contract.createCounter, scene.place);
    const send = (password: string) =>
      make(server.admin, contract.createCounter, { body: { ...Object(given.body), password } });
    expect(refusalOf(await send("12345")).details).toEqual([
      { field: "password", message: "New password must be at least 6 characters long" },
    ]);
    expect((await send("123456")).status).toBe(201);
  });
});
