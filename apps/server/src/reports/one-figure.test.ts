import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { begin, join, makeStore, type TestCounter, type TestStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { strictRecords } from "./testing/strict-csv.ts";

/** What counts of all that is scanned below: 2 and 12 in A1, 3 in A2, 4 in A3. */
const figure = 21;
const sku = "JK-1000";

let server: TestServer;
let store: TestStore;
let session: contract.CountingSession;
let ada: TestCounter;
let ben: TestCounter;
let seq = 0;

const params = () => ({ id: session._id });
const ofReport = () => ({ sessionId: session._id });
const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
const inArea = (areaCode: string) => ({ sessionId: session._id, locationId: store.locationId, areaCode });
const deviceOf = ({ username }: TestCounter) => `device-of-${username}`;

async function scan(
  by: TestCounter,
  areaCode: string,
  given: { quantity?: number; input?: string; pass?: number } = {},
) {
  seq += 1;
  const read = { storeId: store.id, input: sku, inputType: "sku" as const, deviceId: deviceOf(by), seq };
  return (await by.api.call(contract.postScan, { body: { ...inArea(areaCode), ...read, ...given } })).status;
}

const finish = (by: TestCounter, areaCode: string, declaredTotal: number) =>
  by.api.call(contract.finishArea, { body: { ...inArea(areaCode), deviceId: deviceOf(by), declaredTotal } });

/** Undone and unknown ones among those that count. */
async function countFirstArea(): Promise<void> {
  await scan(ada, "A1", { quantity: 12 });
  for (const _ of [1, 2, 3]) await scan(ada, "A1");
  await ada.api.call(contract.undoScan, { body: { ...inArea("A1"), deviceId: deviceOf(ada) } });
  expect(await scan(ada, "A1", { input: "NOBODY-KNOWS-IT", quantity: 30 })).toBe("unresolved");
}

/** Voided by a mismatch and by a reset before what counts. */
async function countSecondArea(): Promise<void> {
  await scan(ada, "A2", { quantity: 50 });
  await finish(ada, "A2", 49);
  await scan(ada, "A2", { quantity: 60 });
  await ada.api.call(contract.resetArea, { body: inArea("A2") });
  await scan(ben, "A2", { quantity: 3 });
  expect(await finish(ben, "A2", 3)).toMatchObject({ matched: true, serverTotal: 3 });
}

/** Late after the finish, and counted a second time with another result. */
async function countThirdArea(): Promise<void> {
  await scan(ada, "A3", { quantity: 4 });
  expect(await finish(ada, "A3", 4)).toMatchObject({ matched: true, serverTotal: 4 });
  expect(await scan(ada, "A3", { quantity: 70 })).toBe("late");
  const areaId = store.areas.find(({ code }) => code === "A3")?.id ?? "";
  const { secondCount } = await server.admin.call(contract.askSecondCount, { body: { areaId } });
  expect(await scan(ben, "A3", { quantity: 80, pass: secondCount.pass })).toBe("counted");
}

beforeAll(async () => {
  server = await startTestServer();
  store = await makeStore(server, { areaCodes: ["A1", "A2", "A3"] });
  session = await begin(server, store);
  ada = await join(server, session, { name: "Ada", email: "ada@example.com" });
  ben = await join(server, session, { name: "Ben", email: "ben@example.com" });
  await countFirstArea();
  await countSecondArea();
  await countThirdArea();
});
afterAll(() => server.close());

const progress = () => server.admin.call(contract.sessionProgress, { params: params() });
const report = () =>
  server.admin.call(contract.varianceReport, { params: ofReport(), query: { view: "all" } });

async function exported(call: typeof contract.exportReport | typeof contract.exportScans) {
  const { body } = await server.admin.send(call, { params: ofReport(), query: {} });
  const [header = [], ...records] = strictRecords(String(body));
  return records.map((cells) => Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ""])));
}

/** Each place that tells how much has been scanned while a count runs, and after it. */
const whileItRuns: Readonly<Record<string, () => Promise<number>>> = {
  "the areas of the live view and of the wall": async () =>
    sum((await progress()).areas.map(({ scans }) => scans)),
  "the devices and people of the live view and of the wall": async () =>
    sum((await progress()).devices.map(({ scans }) => scans)),
  "the chart of the dashboard": async () => sum((await server.admin.call(contract.scanActivity, {})).hours),
  "the passes that are not over, or closed their area": async () => {
    const { passes } = await server.admin.call(contract.sessionPasses, { params: params() });
    const current = passes.filter(
      ({ endedAs }) => endedAs === null || endedAs === "closed" || endedAs === "session_ended",
    );
    return sum(current.map(({ scans }) => scans));
  },
  "the list of scans of each area": async () => {
    const lists = store.areas.map(({ code: areaCode }) =>
      server.admin.call(contract.areaScans, {
        params: { sessionId: session._id, areaCode },
        query: { locationId: store.locationId },
      }),
    );
    return sum((await Promise.all(lists)).flatMap(({ scans }) => scans.map(({ quantity = 1 }) => quantity)));
  },
};

const afterItsEnd: Readonly<Record<string, () => Promise<number>>> = {
  "the rows of the report": async () => sum((await report()).items.map(({ counted }) => counted)),
  "the people on the printed report's first page": async () =>
    sum(((await report()).cover?.counters ?? []).map(({ units }) => units)),
  "the drawer of a row": async () => {
    const of = { params: ofReport(), query: { sku } };
    return sum((await server.admin.call(contract.explainRow, of)).passes.map(({ units }) => units));
  },
  "the report as CSV": async () =>
    sum((await exported(contract.exportReport)).map((row) => Number(row.Counted))),
  "the scans as CSV, by their outcome": async () => {
    const counted = (await exported(contract.exportScans)).filter((row) => row.Outcome === "counted");
    return sum(counted.map((row) => Number(row.Quantity)));
  },
};

describe("every figure of scans is of the units that count", () => {
  test.each(Object.entries(whileItRuns))("while it runs: %s", async (_place, read) => {
    expect(await read()).toBe(figure);
  });

  test("what waits and what a device holds is told scan by scan, whatever the quantity", async () => {
    expect((await progress()).exceptions).toEqual({ unresolved: 1, late: 1 });
    const { groups } = await server.admin.call(contract.exceptionGroups, { params: params() });
    expect(groups.map(({ scans, units }) => [scans, units])).toEqual([
      [1, 30],
      [1, 70],
    ]);
  });

  test("after its end: each of these, and the report with all that comes of it", async () => {
    await server.admin.call(contract.endSession, { body: { sessionId: session._id } });
    const figures: Record<string, number> = {};
    for (const [place, read] of Object.entries({ ...whileItRuns, ...afterItsEnd }))
      figures[place] = await read();
    expect(figures).toEqual(Object.fromEntries(Object.keys(figures).map((place) => [place, figure])));
  });
});
