import { createHash, randomUUID } from "node:crypto";
import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { begin, join, makeStore, type TestCounter, type TestStore } from "../../testing/scenes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { highStreet } from "../../testing/test-shop.ts";
import { type Line, writtenBy } from "./testing.ts";

let server: TestServer;
let store: TestStore;
let session: contract.CountingSession;
let lines: readonly Line[];

beforeAll(async () => {
  server = await startTestServer();
  store = await makeStore(server, { shopifyLocation: highStreet, areaCodes: ["A1", "A2"] });
  session = await begin(server, store);
  await countEverything();
  lines = await writtenBy(server.admin, session._id);
});
afterAll(() => server.close());

const of = (kind: string) => lines.filter(({ record }) => record.is === kind).map(({ record }) => record);
const areaId = (code: string) => store.areas.find((area) => area.code === code)?.id;
const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");
/** Facts that the file and the log's entries hold. */
const factsOf = (value: unknown): { readonly [fact: string]: unknown } => Object(value);

/** Counts an area in the pass that the counter is shown, and closes it. */
async function count(counter: TestCounter, areaCode: string, units: Readonly<Record<string, number>>) {
  const { areas } = await counter.api.call(contract.listAreas, {});
  const pass = areas.find(({ code }) => code === areaCode)?.pass ?? 0;
  const deviceId = `device-of-${counter.username}-in-${areaCode}-${pass}`;
  const place = { sessionId: session._id, locationId: store.locationId, areaCode, pass, deviceId };
  const scans = Object.entries(units).map(([input, quantity], index) => {
    const scan = { input, inputType: "sku", quantity, seq: index + 1, opId: randomUUID() };
    return { ...place, storeId: store.id, ...scan };
  });
  await counter.api.call(contract.postScanBatch, { body: { scans, pending: 0, pendingOrder: 1 } });
  const declaredTotal = Object.values(units).reduce((sum, each) => sum + each, 0);
  const { matched } = await counter.api.call(contract.finishArea, { body: { ...place, declaredTotal } });
  expect(matched).toBe(true);
}

/**
 * A1 has three counts of a jacket that all differ, of which the administrator chooses one; A2 is drawn as a control sample, while one
 * of its jackets is sold; a belt is looked for in vain, a scarf is said to be found and never scanned, and the rest is left alone.
 */
async function countEverything(): Promise<void> {
  const people = ["Ada", "Ben", "Cleo"].map((name) =>
    join(server, session, { name, email: `${name.toLowerCase()}@example.com` }),
  );
  const [ada, ben, cleo] = await Promise.all(people);
  if (ada === undefined || ben === undefined || cleo === undefined) throw new Error("Nobody counts.");
  const params = { id: session._id };
  const { admin } = server;
  await count(ada, "A1", { "JK-1000": 7, "JK-1002": 9 });
  await admin.call(contract.askSecondCount, { body: { areaId: areaId("A1") ?? "" } });
  await count(ben, "A1", { "JK-1000": 5, "JK-1002": 9 });
  await count(cleo, "A1", { "JK-1000": 6, "JK-1002": 9 });
  await count(ada, "A2", { "JK-1001": 8 });
  await admin.call(contract.drawSample, { params, body: { areas: 1 } });
  await server.shop.sell({ item: "JK-1001", location: highStreet, quantity: 1 });
  await count(ben, "A2", { "JK-1001": 8 });
  await admin.call(contract.createSearches, { params, body: { skus: ["BELT-1"] } });
  const said = { sku: "BELT-1", answer: "not_there", deviceId: "device-of-Ada" } as const;
  await ada.api.call(contract.answerSearch, { params: { ...params, number: "1" }, body: said });
  const alone = { every: {}, leftAlone: true, reason: "Of the other shop" };
  await admin.call(contract.leaveStockAlone, { params, body: alone });
  await admin.call(contract.endSession, { body: { sessionId: session._id } });
  const { differences } = await admin.call(contract.countDifferences, { params });
  const [open] = differences.filter(({ settledAs }) => settledAs === null);
  if (open === undefined) throw new Error("Every difference is settled.");
  const which = { areaId: open.area._id, ofPass: open.ofPass, sku: open.sku };
  const choice = { choice: "third" as const, reason: "I have counted them myself" };
  await admin.call(contract.settleDifference, { params, body: { ...which, ...choice } });
  await admin.call(contract.issueCertificate, { params });
}

test("a comparison has all counts of a SKU, what settled them, and the scans that they are made of", () => {
  const compared = of("comparison").toSorted((one, other) => (String(one.sku) < String(other.sku) ? -1 : 1));
  const chosen = compared[0];
  expect(compared).toMatchObject([
    {
      ...{ areaId: areaId("A1"), sku: "JK-1000", first: 7, second: 5, third: 6, settledAs: "third" },
      ...{ settledBy: "admin", settledAt: expect.any(String), reason: "I have counted them myself" },
    },
    {
      areaId: areaId("A2"),
      sku: "JK-1001",
      first: 8,
      second: 8,
      third: null,
      settledAs: "equal",
      settledBy: null,
    },
    {
      areaId: areaId("A1"),
      sku: "JK-1002",
      first: 9,
      second: 9,
      third: null,
      settledAs: "equal",
      reason: null,
    },
  ]);
  const passes = of("pass").filter((pass) => pass.areaId === areaId("A1"));
  expect(passes).toMatchObject([
    { pass: chosen?.ofPass, round: 1, ofPass: null, endedAs: "closed", endedBy: "Ada", serverTotal: 16 },
    { round: 2, ofPass: chosen?.ofPass, endedAs: "closed", endedBy: "Ben", onlySkus: null, serverTotal: 14 },
    { round: 3, ofPass: chosen?.ofPass, endedAs: "closed", endedBy: "Cleo", serverTotal: 15 },
  ]);
  const [first, second, third] = passes.map(({ pass }) => pass);
  const scans = of("scan").filter((scan) => scan.areaId === areaId("A1") && scan.sku === "JK-1000");
  expect(scans.toSorted((one, other) => Number(one.sentPass) - Number(other.sentPass))).toMatchObject([
    { username: "Ada", pass: first, sentPass: first, quantity: 7, status: "voided", reason: "SUPERSEDED" },
    { username: "Ben", pass: second, sentPass: second, quantity: 5, status: "compared" },
    { username: "Cleo", pass: first, sentPass: third, quantity: 6, status: "counted" },
  ]);
});

test("a finished control sample has what it was drawn from, and a seed that leads to what the log committed before", () => {
  const [sample, ...others] = of("sample");
  expect(others).toEqual([]);
  expect(sample).toMatchObject({
    ...{ number: 1, drawnBy: "admin", notClosed: 0, countedTwice: 1, voidedAt: null, reason: null },
    areas: [{ areaId: areaId("A2"), pass: expect.any(Number), units: 8, drawn: true }],
  });
  expect(sha256(Buffer.from(String(sample?.seed), "hex"))).toBe(sample?.commitment);
  const started = of("entry").find(({ action }) => action === "session.started");
  expect(factsOf(started?.after).sampleSeedHash).toBe(sample?.commitment);
  expect(of("pass").filter(({ origin }) => origin === "sample")).toMatchObject([
    { areaId: areaId("A2"), sample: 1, round: 2, endedAs: "closed", endedBy: "Ben", serverTotal: 8 },
  ]);
});

test("a row has Shopify's readings, what was sold between them, and what people said who looked for it", () => {
  const rowOf = (sku: string) => of("row").find((row) => row.sku === sku);
  const sold = rowOf("JK-1001");
  expect(sold).toMatchObject({ startOnHand: 8, endOnHand: 7, naturalMovement: -1, counted: 8, variance: 1 });
  expect(sold?.readings).toMatchObject([
    { at: expect.any(String), onHand: 8, touched: false },
    { at: expect.any(String), onHand: 7, touched: true },
  ]);
  expect(rowOf("JK-1000")).toMatchObject({ counted: 6, variance: -1, manual: false, readings: [] });
  expect(rowOf("BELT-1")).toMatchObject({ counted: 0, variance: -4, search: "not_there" });
  expect(of("search")).toMatchObject([
    { sku: "BELT-1", state: "not_there", answers: [{ username: "Ada", answer: "not_there", list: 1 }] },
  ]);
});

test("a certificate has its text and the list of SKUs, whose hashes are in the text and in the log", () => {
  const [certificate, ...others] = of("certificate");
  expect(others).toEqual([]);
  expect(certificate).toMatchObject({
    version: 1,
    issuedBy: "admin",
    hash: sha256(String(certificate?.text)),
  });
  const text = factsOf(JSON.parse(String(certificate?.text)));
  expect(text).toMatchObject({
    ...{ format: "stocktake-certificate-1", version: 1, previousHash: null },
    stock: { list: sha256(String(certificate?.items)) },
  });
  expect(String(certificate?.items).split("\n")).toEqual([
    '["BELT-1","not_there",4]',
    '["JK-1000","counted",6]',
    '["JK-1001","counted",8]',
    '["JK-1002","counted",9]',
    expect.stringMatching(/^\["SCARF#\d+","left_alone",3\]$/),
    expect.stringMatching(/^\["SCARF#\d+","left_alone",2\]$/),
  ]);
  const issued = of("entry").find(({ action }) => action === "certificate.issued");
  expect(issued?.after).toMatchObject({ version: 1, hash: certificate?.hash });
});
