import { describe, expect, test } from "vitest";
import { z } from "zod";
import { shopifyApiVersion } from "./documents.ts";
import { isPlatformError } from "./errors.ts";
import {
  breakOff,
  breakOffAfter,
  data,
  hang,
  type Reply,
  stallInBody,
  status,
  topLevel,
} from "./testing/scripted-shop.ts";
import { closedUrl, startScriptedTransport, transportInEachTest } from "./testing/scripted-transport.ts";
import { TIME_LIMIT_MS } from "./testing/test-clock.ts";

const answer = z.object({ shop: z.object({ name: z.string() }) });
const question = { document: "query Shop { shop { name } }", variables: {}, answer };
const good = data({ shop: { name: "Fjord" } });

const scripted = transportInEachTest();

describe("a read", () => {
  test("goes to the versioned address with the token in its header", async () => {
    scripted.shop.will(good);
    expect(await scripted.transport.read(question)).toEqual({ shop: { name: "Fjord" } });
    const [request] = scripted.shop.received;
    expect(request?.path).toBe(`/admin/api/${shopifyApiVersion}/graphql.json`);
    expect(request?.headers["x-shopify-access-token"]).toBe("shpat_given");
    expect(JSON.parse(request?.body ?? "")).toEqual({ query: question.document, variables: {} });
  });

  const passing: [string, Reply][] = [
    ["a broken connection", breakOff],
    ["a body that breaks off", breakOffAfter('{"data":{"shop":')],
    ["500", status(500)],
    ["503 with a page instead of JSON", status(503, "<html>")],
    ["429", status(429, {}, { "retry-after": "2.0" })],
    ["THROTTLED", topLevel("THROTTLED")],
    ["an internal error inside a 200", topLevel("INTERNAL_SERVER_ERROR")],
    ["a page instead of JSON", status(200, "<html>maintenance</html>")],
  ];

  test.each(passing)("is repeated after %s", async (_name, failure) => {
    scripted.shop.will(failure, failure, good);
    expect(await scripted.transport.read(question)).toEqual({ shop: { name: "Fjord" } });
    expect(scripted.shop.received).toHaveLength(3);
  });

  const final: [string, Reply, string][] = [
    [
      "401 for a token that cannot be renewed",
      status(401, { errors: "[API] Invalid API key" }),
      "unauthorised",
    ],
    ["403", status(403), "unauthorised"],
    ["a missing scope", topLevel("ACCESS_DENIED"), "unauthorised"],
    ["404", status(404), "rejected"],
    ["a redirect", status(301, {}, { location: "https://elsewhere.example/" }), "rejected"],
    [
      "a document that does not validate",
      status(200, { errors: [{ message: "no", locations: [{}] }] }),
      "rejected",
    ],
    ["a query beyond the cost of one", topLevel("MAX_COST_EXCEEDED"), "too-costly"],
    ["data of another form", data({ shop: { name: 7 } }), "unexpected-answer"],
  ];

  test.each(final)("is given up at once after %s", async (_name, failure, kind) => {
    scripted.shop.will(failure, good);
    await expect(scripted.transport.read(question)).rejects.toMatchObject({
      name: "PlatformRejectedError",
      kind,
    });
    expect(scripted.shop.received).toHaveLength(1);
  });

  test("is not taken in part: an error beside the data fails it", async () => {
    const errors = [
      { message: "unitCost is not for you", extensions: { code: "ACCESS_DENIED" }, path: ["shop"] },
    ];
    scripted.shop.will(status(200, { data: { shop: { name: "Fjord" } }, errors }));
    await expect(scripted.transport.read(question)).rejects.toMatchObject({ kind: "unauthorised" });
  });

  test("pauses longer and longer, up to five attempts, then says that the platform is unavailable", async () => {
    scripted.shop.will(...Array.from({ length: 6 }, () => status(502)));
    await expect(scripted.transport.read(question)).rejects.toMatchObject({
      name: "PlatformUnavailableError",
      kind: "server-error",
    });
    expect(scripted.shop.received).toHaveLength(5);
    expect(scripted.clock.pauses).toEqual([250, 500, 1000, 2000]);
  });

  test("waits as long as Retry-After says, in seconds", async () => {
    scripted.shop.will(status(429, {}, { "retry-after": "7" }), good);
    await scripted.transport.read(question);
    expect(scripted.clock.pauses).toEqual([7000]);
  });

  test("does not wait for an hour because it is told to", async () => {
    scripted.shop.will(status(429, {}, { "retry-after": "3600" }), good);
    await expect(scripted.transport.read(question)).rejects.toMatchObject({
      kind: "throttled",
      retryAfterMs: 3_600_000,
    });
  });

  test("waits after THROTTLED until the bucket holds what the request asks for", async () => {
    scripted.shop.will(topLevel("THROTTLED", { requested: 752, available: 152, restoreRate: 50 }), good);
    await scripted.transport.read(question);
    expect(scripted.clock.pauses).toEqual([12_000]);
  });

  test.each([
    ["answers nothing", hang],
    ["begins a body and never ends it", stallInBody],
  ])("ends at its time limit when the platform %s", async (_name, silence) => {
    scripted.shop.will(silence, good);
    const reading = scripted.transport.read(question);
    await scripted.shop.arrived(1);
    scripted.clock.advance(TIME_LIMIT_MS);
    expect(await reading).toEqual({ shop: { name: "Fjord" } });
  });

  test("ends at once when its caller gives up, with the caller's reason", async () => {
    scripted.shop.will(hang);
    const caller = new AbortController();
    const reading = scripted.transport.read({ ...question, signal: caller.signal });
    await scripted.shop.arrived(1);
    caller.abort(new Error("the session was called off"));
    await expect(reading).rejects.toThrow("the session was called off");
  });

  test("is not sent for a caller that has given up before", async () => {
    const signal = AbortSignal.abort(new Error("too late"));
    await expect(scripted.transport.read({ ...question, signal })).rejects.toThrow("too late");
    expect(scripted.shop.received).toHaveLength(0);
  });

  test("says that nothing could be reached where nothing listens", async () => {
    const nowhere = await startScriptedTransport({ apiUrl: await closedUrl() });
    const error = await nowhere.transport.read(question).catch((thrown: unknown) => thrown);
    await nowhere.shop.close();
    expect(isPlatformError(error)).toBe(true);
    expect(error).toMatchObject({
      kind: "unreachable",
      message: expect.stringContaining("cannot be reached"),
    });
  });
});

describe("a mutation", () => {
  const failing: [string, Reply, string][] = [
    ["a broken connection", breakOff, "lost"],
    ["500", status(500), "server-error"],
    ["429", status(429), "throttled"],
    ["THROTTLED", topLevel("THROTTLED"), "throttled"],
    ["403", status(403), "unauthorised"],
  ];

  test.each(failing)("is sent once, whatever comes of it: %s", async (_name, failure, kind) => {
    scripted.shop.will(failure, good);
    expect(await scripted.transport.mutateOnce(question)).toMatchObject({ kind });
    expect(scripted.shop.received).toHaveLength(1);
  });

  test("ends at its time limit", async () => {
    scripted.shop.will(hang);
    const outcome = scripted.transport.mutateOnce(question);
    await scripted.shop.arrived(1);
    scripted.clock.advance(TIME_LIMIT_MS);
    expect(await outcome).toMatchObject({ kind: "timeout" });
  });
});

describe("pacing", () => {
  test("waits before it sends what the bucket does not hold, so that it is never refused", async () => {
    scripted.shop.will(
      data({ shop: { name: "a" } }, { requested: 400, available: 100, restoreRate: 50 }),
      good,
    );
    await scripted.transport.read(question);
    await scripted.transport.read(question);
    expect(scripted.clock.pauses).toEqual([6000]);
  });

  test("asks once more before a mutation is sent, after it has waited; what its caller withholds is not sent and holds up nothing", async () => {
    scripted.shop.will(data({ shop: { name: "a" } }, { requested: 400, available: 100, restoreRate: 50 }));
    await scripted.transport.read(question);
    const pausesBefore: number[][] = [];
    const mutation = {
      ...question,
      beforeSend: async () => {
        pausesBefore.push([...scripted.clock.pauses]);
        if (pausesBefore.length === 1) throw new Error("withheld");
      },
    };
    await expect(scripted.transport.mutateOnce(mutation)).rejects.toThrow("withheld");
    expect(pausesBefore).toEqual([[6000]]);
    expect(scripted.shop.received).toHaveLength(1);
    scripted.shop.will(good);
    expect(await scripted.transport.mutateOnce(mutation)).toMatchObject({ kind: "answer" });
    expect(scripted.shop.received).toHaveLength(2);
  });

  test("never waits for more than the bucket can hold", async () => {
    const throttle = { requested: 900, maximum: 500, available: 400, restoreRate: 50 };
    scripted.shop.will(data({ shop: { name: "a" } }, throttle), good);
    await scripted.transport.read(question);
    await scripted.transport.read(question);
    expect(scripted.clock.pauses).toEqual([2000]);
  });
});
