import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { givenTo, make, nameOf, refusalOf, type Scene, samples, setScene } from "./testing.ts";
import { sendRaw } from "./testing-raw.ts";

let server: TestServer;
let scene: Scene;

beforeAll(async () => {
  server = await startTestServer();
  scene = await setScene(server);
});
afterAll(() => server.close());

const malformedIds = [
  "null",
  "%",
  "' or 1=1 --",
  "\u0000",
  "x".repeat(250),
  "x".repeat(5000),
  "{}",
  "1e3",
  "..%2f",
];

describe("a malformed id names nothing", () => {
  const named = samples.filter(({ call }) => call.path.includes("/:"));
  test.each(named.map((entry) => [entry.name, entry] as const))(
    "in the path of %s",
    async (_name, { call, given }) => {
      const { params = {}, ...rest } = given(scene.place);
      for (const name of Object.keys(params).filter((key) => key !== "areaCode")) {
        for (const id of malformedIds) {
          const answer = await make(server.admin, call, { ...rest, params: { ...params, [name]: id } });
          expect([id, refusalOf(answer).code]).toEqual([id, "NOT_FOUND"]);
        }
      }
    },
  );

  test.each([
    [contract.listLocations, "storeId"],
    [contract.productMap, "storeId"],
    [contract.deviceMaxSequence, "sessionId"],
    [contract.areaScans, "locationId"],
  ] as const)("in the query of a call: %#", async (call, name) => {
    const { query = {}, ...rest } = givenTo(call, scene.place);
    for (const id of malformedIds) {
      const answer = await make(server.admin, call, { ...rest, query: { ...query, [name]: id } });
      expect([id, refusalOf(answer).code]).toEqual([id, "NOT_FOUND"]);
    }
  });

  test("when no decoding makes sense of the path", async () => {
    for (const path of ["/api/stores/%zz", "/api/auth/invite/%ff", "/api/%", "/%E0%A4%A"]) {
      expect(refusalOf(await sendRaw(server.url, path)).code).toBe("NOT_FOUND");
    }
  });
});

describe("a query", () => {
  test("that names a thing twice is refused", async () => {
    const { status, body } = await server.admin.request(
      "GET",
      `/api/locations?storeId=a&storeId=${randomUUID()}`,
    );
    expect(status).toBe(400);
    expect(body).toMatchObject({ details: [{ field: "storeId" }] });
  });

  test("that names another view is refused", async () => {
    const path = `/api/report/variance/${scene.place.sessionId}?view=everything`;
    expect(refusalOf(await server.admin.request("GET", path)).details).toMatchObject([{ field: "view" }]);
  });

  test("of unknown names is ignored", async () => {
    const path = "/api/stores?__proto__[role]=admin&constructor=1&storeId[]=2&x=%00";
    expect((await server.admin.request("GET", path)).status).toBe(200);
  });
});

describe("what is not in the contract", () => {
  test.each(["/api", "/api/", "/api/nothing", "/api/stores/", "/api//stores", "/API/stores", "/nothing"])(
    "is answered NOT_FOUND under %s",
    async (path) => {
      expect(refusalOf(await sendRaw(server.url, path)).code).toBe("NOT_FOUND");
    },
  );
});

describe("what more a body holds", () => {
  test("is ignored", async () => {
    const { storeId } = scene.place;
    const name = `Room ${randomUUID()}`;
    const answer = await sendRaw(server.url, "/api/locations", {
      method: "POST",
      token: server.admin.token,
      headers: { "content-type": "application/json" },
      body: `{"name":"  ${name} ","storeId":"${storeId}","_id":"mine","__proto__":{"role":"admin"},
        "constructor":{"prototype":{"polluted":true}},"deletedAt":1}`,
    });
    const { location } = contract.createLocation.answer.parse(answer.body);
    expect([answer.status, location.name]).toEqual([201, name]);
    expect(location._id).not.toBe("mine");
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  test("does not decide what becomes of a scan", async () => {
    const { body } = givenTo(contract.postScan, { ...scene.place, deviceId: "device-bold" });
    const bold = {
      ...Object(body),
      input: "NO SUCH CODE",
      status: "counted",
      sku: "JK-1000",
      __proto__: null,
    };
    const { body: answer } = await make(scene.counter.api, contract.postScan, { body: bold });
    expect(answer).toMatchObject({ status: "unresolved", reason: "UNKNOWN_CODE", scan: { sku: null } });
  });
});

/** What a connection is told that sends these bytes, until the server ends it. */
async function send(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  let response = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    response += text;
  });
  socket.write(bytes);
  await once(socket, "close");
  return response;
}

describe("a connection that sends no proper request", () => {
  test("is told so in the form of every error, and ended", async () => {
    for (const bytes of [
      "HELLO\r\n\r\n",
      "GET / HTTP/9.9\r\n\r\n",
      "POST /api/scan HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
      "GET /api/health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    ]) {
      const [head = "", body = ""] = (await send(bytes)).split("\r\n\r\n");
      expect(head).toMatch(/^HTTP\/1\.1 400 /);
      expect(contract.ErrorBody.parse(JSON.parse(body)).code).toBe("VALIDATION");
    }
  });

  test("is told by the status alone that its head is too large", async () => {
    const response = await send(`GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`);
    expect(response).toMatch(/^HTTP\/1\.1 431 [\s\S]*Content-Length: 0\r\n\r\n$/);
  });

  test("is not waited for without end", () => {
    expect(server.app.server.requestTimeout).toBe(60_000);
    expect(server.app.server.timeout).toBe(120_000);
    expect(server.app.server.headersTimeout).toBe(60_000);
  });
});

describe("a method that a path does not take", () => {
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
  const fits = (path: string, address: string) =>
    new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`).test(address);
  const addresses = [...new Set(contract.allCalls.map(({ path }) => path.replaceAll(/:\w+/g, randomUUID())))];

  test.each(addresses)("at %s is told which ones it does take", async (address) => {
    const taken = contract.allCalls
      .filter(({ path }) => fits(path, address))
      .map(({ method }) => String(method));
    for (const method of methods.filter((name) => !taken.includes(name))) {
      const refused = await sendRaw(server.url, address, { method, token: server.admin.token });
      expect([method, refused.status, refusalOf(refused).code]).toEqual([method, 405, "METHOD_NOT_ALLOWED"]);
      const allowed = refused.headers.get("allow")?.split(", ") ?? [];
      expect(allowed.filter((name) => name !== "HEAD").sort()).toEqual([...new Set(taken)].sort());
    }
  });
});

test("every call of the contract has a form in these tests", () => {
  expect(samples.map(({ name }) => name).sort()).toEqual(contract.allCalls.map(nameOf).sort());
});
