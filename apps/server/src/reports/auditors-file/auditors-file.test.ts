import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { begin, join, makeStore, type TestStore } from "../../testing/scenes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { writtenBy } from "./testing.ts";

const sku = "JK-1000";

let server: TestServer;
let store: TestStore;
let session: contract.CountingSession;

beforeAll(async () => {
  server = await startTestServer();
  store = await makeStore(server, { areaCodes: ["A1", "A2"] });
  session = await begin(server, store);
  const ada = await join(server, session, { name: "Ada", email: "ada@example.com" });
  const deviceId = "device-of-ada";
  const area = { sessionId: session._id, locationId: store.locationId, areaCode: "A1" };
  for (const [seq, input] of [sku, "NOBODY-KNOWS-IT"].entries()) {
    const scan = { storeId: store.id, input, inputType: "sku" as const, deviceId, seq: seq + 1, quantity: 3 };
    await ada.api.call(contract.postScan, { body: { ...area, ...scan } });
  }
  await ada.api.call(contract.finishArea, { body: { ...area, deviceId, declaredTotal: 3 } });
  const ofSession = { params: { id: session._id } };
  await server.admin.call(contract.createSearches, { ...ofSession, body: { skus: ["JK-1001"] } });
  const ofList = { params: { id: session._id, number: "1" } };
  await ada.api.call(contract.answerSearch, {
    ...ofList,
    body: { sku: "JK-1001", answer: "not_there", deviceId },
  });
});
afterAll(() => server.close());

const given = () => ({ params: { sessionId: session._id } });

const write = () => writtenBy(server.admin, session._id);

test("while the session counts there is no file of it, and nothing is recorded", async () => {
  const answer = await server.admin.send(contract.writeAuditorsFile, given());
  expect(answer.status).toBe(409);
  const { entries } = await server.admin.call(contract.listAudit, { query: { sessionId: session._id } });
  expect(entries.filter(({ action }) => action === "auditors_file.written")).toEqual([]);
});

test("the file holds what the session is made of, and the log's last entry in it holds the hash of the content", async () => {
  await server.admin.call(contract.endSession, { body: { sessionId: session._id } });
  await expect
    .poll(
      async () =>
        (await server.admin.send(contract.varianceReport, { ...given(), query: { view: "all" } })).status,
    )
    .toBe(200);
  const params = given().params;
  await server.admin.call(contract.adjustCount, {
    params,
    body: { sku: "HAT-1", newCount: 2, reason: "Shelf" },
  });
  const lines = await write();
  const kinds = [...new Set(lines.map(({ record }) => record.is))];
  expect(kinds).toEqual(["session", "area", "pass", "search", "row", "scan", "entry"]);
  const of = (kind: string) => lines.filter(({ record }) => record.is === kind).map(({ record }) => record);
  expect(of("scan")).toMatchObject([
    { username: "Ada", input: sku, quantity: 3, status: "counted", areaCode: "A1" },
    { input: "NOBODY-KNOWS-IT", status: "unresolved" },
  ]);
  expect(of("row").find((row) => row.sku === sku)).toMatchObject({ counted: 3, manual: false, history: [] });
  expect(of("row").find((row) => row.sku === "HAT-1")).toMatchObject({
    counted: 2,
    manual: true,
    history: [{ newCount: 2, reason: "Shelf", adjustedBy: { username: "admin" } }],
  });
  expect(of("search")).toMatchObject([
    { sku: "JK-1001", state: "not_there", answers: [{ username: "Ada", answer: "not_there" }] },
  ]);
  const content = lines.filter(({ record }) => record.is !== "entry");
  const seal = lines.at(-1)?.record;
  expect(seal).toMatchObject({
    action: "auditors_file.written",
    actorName: "admin",
    after: { hash: content.at(-1)?.hash, lines: content.length },
  });
  const { auditHash } = await server.admin.call(contract.varianceReport, {
    ...given(),
    query: { view: "variances" },
  });
  expect(seal?.hash).toBe(auditHash);
});

test("a second file holds the log with the first one's entry, and ends with its own", async () => {
  const lines = await write();
  const written = lines.filter(({ record }) => record.action === "auditors_file.written");
  expect(written).toHaveLength(2);
  expect(lines.at(-1)).toBe(written[1]);
});
