import * as contract from "@stocktake/contract";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import {
  type AnyGiven,
  givenTo,
  make,
  type nowhere,
  refusalOf,
  type Scene,
  samples,
  setScene,
} from "./testing.ts";

let server: TestServer;
let scene: Scene;

beforeAll(async () => {
  server = await startTestServer();
  scene = await setScene(server);
});
afterAll(() => server.close());

const oddText = fc.constantFrom(
  ...[
    "",
    " ",
    "\u0000",
    "\ud800",
    "\ufeff",
    "\u202e",
    "é",
    "e\u0301",
    "🧦",
    "0",
    "-1",
    "NaN",
    "1e999",
    "null",
    "true",
  ],
  ...[
    "' or 1=1 --",
    "$1",
    "\\",
    '"',
    "%00",
    "%",
    "..",
    "{}",
    "=cmd()",
    "<script>",
    "__proto__",
    "constructor",
  ],
  ...[
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999Z",
    "2026-02-29T00:00:00Z",
    "2026-01-01T00:00:00+23:59",
  ],
  ...["0".repeat(300), "😀".repeat(60), "4000000000105", "JK-1000", "00000000-0000-0000-0000-000000000000"],
);
const oddNumber = fc.constantFrom(0, -0, -1, 1, 1.5, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 1e21, 1e308);
const anything = fc.oneof(
  { arbitrary: oddText, weight: 4 },
  { arbitrary: oddNumber, weight: 3 },
  fc.string({ unit: "binary" }),
  fc.jsonValue(),
  fc.constantFrom(null, undefined, true, false, [], {}),
);

/** The same form with some of its values, down to any depth, changed to whatever comes. */
function mutated(value: unknown): fc.Arbitrary<unknown> {
  if (Array.isArray(value)) {
    return changedNowAndThen(fc.tuple(...value.map(mutated)), fc.array(anything, { maxLength: 3 }));
  }
  if (typeof value !== "object" || value === null) return changedNowAndThen(fc.constant(value), anything);
  const fields = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mutated(part)]));
  return changedNowAndThen(fc.record(fields), fc.dictionary(fc.string(), anything));
}

function changedNowAndThen(same: fc.Arbitrary<unknown>, other: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: same, weight: 4 }, { arbitrary: other, weight: 1 });
}

/** Parameters and queries are text; half of a surrogate pair can't be sent in an address at all. */
const inAddress = fc
  .oneof(oddText, fc.string())
  .filter((text) => text !== "" && !/\p{Surrogate}/u.test(text));

function mutatedText(part: Readonly<Record<string, unknown>> = {}): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(part).map(([name, value]) => [
    name,
    fc.oneof({ arbitrary: fc.constant(value), weight: 3 }, { arbitrary: inAddress, weight: 1 }),
  ]);
  return fc.record(Object.fromEntries(fields));
}

/** One form of a call in three parts, each changed now and then. */
function formsOf(call: contract.CallDefinition, place: typeof nowhere): fc.Arbitrary<AnyGiven> {
  const { params, query, body } = givenTo(call, place);
  const parts = { params: mutatedText(params), query: mutatedText(query) };
  return call.method === "GET" ? fc.record(parts) : fc.record({ ...parts, body: mutated(body) });
}

// Events are a stream without end, and nothing but the cookie goes into them.
const fuzzed = samples.filter(
  ({ call }) => call !== contract.events && (call.params ?? call.query ?? call.body),
);

function expectAnswered({ status, body }: Awaited<ReturnType<typeof make>>): void {
  expect(status).toBeLessThan(500);
  if (status >= 400) refusalOf({ status, body, headers: new Headers() });
  const batch = contract.postScanBatch.answer.safeParse(body);
  for (const { httpStatus } of batch.data?.results ?? []) expect(httpStatus).toBeLessThan(500);
}

describe("whatever is sent, the answer is proper or a proper refusal", () => {
  test.each(fuzzed.map(({ name, call }) => [name, call] as const))("by %s", async (_name, call) => {
    const callers = { public: server.stranger, "signed-in": scene.counter.api, admin: server.admin };
    const api = callers[call.access];
    await fc.assert(
      // A failure prints the seed and the path under which it is met again.
      fc.asyncProperty(formsOf(call, scene.place), async (given) =>
        expectAnswered(await make(api, call, given)),
      ),
      { numRuns: 60 },
    );
  });

  test("and the server is as well as before", async () => {
    expect((await make(server.stranger, contract.health)).status).toBe(200);
    expect((await make(server.admin, contract.listStores)).status).toBe(200);
  });
});
