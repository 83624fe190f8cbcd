import * as contract from "@stocktake/contract";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSmtpMailer } from "../mail/smtp-mailer.ts";
import { startMailServer, type TestMailServer } from "../mail/testing.ts";
import { begin, makeStore } from "../testing/scenes.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { highStreet } from "../testing/test-shop.ts";
import { applyTolerances } from "./count-again.ts";
import {
  arriveByCode,
  arriveByInvitation,
  arriveByPassword,
  type CountedSession,
} from "./testing/arrivals.ts";
import { RecordingApi } from "./testing/recording-api.ts";
import { RecordingPhone } from "./testing/recording-phone.ts";

/** What only the administrator may learn, as numbers that are nothing else. */
const onHand = { "JK-1000": 6133, "JK-1001": 5503, "JK-1002": 2999, "BELT-1": 8123 };
const tolerance = { units: 1597, money: 87_011, stockPercent: 61.37, moneyPercent: 73.19 };
/** As it is stored: money and shares in hundredths. */
const storedTolerance = [1597, 8_701_100, 6137, 7319];
const firstCounts = { A1: { "JK-1000": 7919 }, A2: { "JK-1001": 4987 }, A3: { "JK-1002": 2741 } };
const differences = [7919 - 6133, 5503 - 4987, 2999 - 2741];
const secondCounts = { A1: { "JK-1000": 3571 }, A2: { "JK-1001": 4657 }, A3: { "JK-1002": 2203 } };
/** What each person scans by mistake in each area. */
const slips = { Ada: 6547, Ben: 5881, Cleo: 4273 };

const unitsOf = (counts: Readonly<Record<string, Readonly<Record<string, number>>>>) =>
  Object.values(counts).flatMap((found) => Object.values(found));
const secrets = [...Object.values(onHand), ...Object.values(tolerance), ...storedTolerance, ...differences];
const [first, second] = [unitsOf(firstCounts), unitsOf(secondCounts)];

/** Calls that need no login or any, and that no counter's phone makes. */
const noCounters: ReadonlyMap<contract.CallDefinition, string> = new Map<contract.CallDefinition, string>([
  [contract.adminLogin, "signs the administrator in"],
  [contract.finishAdminLogin, "signs the administrator in"],
  [contract.requestPasskeyForLogin, "signs the administrator in"],
  [contract.shopifyWebhook, "is Shopify's, and opens by its signature alone"],
]);

/** Which of the numbers a text holds by themselves, written in any way: not as a part of an id, a time or another number. */
function held(text: string, numbers: readonly number[]): number[] {
  return numbers.filter((number) => {
    const [whole = "", rest] = String(number).split(".");
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, "[,.\u00a0 ]?");
    return new RegExp(
      `(?<![\\w.,-])${grouped}${rest === undefined ? "" : `[.,]${rest}`}(?![\\w-]|[.,]\\d)`,
    ).test(text);
  });
}

let server: TestServer;
let mailServer: TestMailServer;
let admin: RecordingApi;
let phones: Readonly<Record<"ada" | "ben" | "cleo" | "dora", RecordingPhone>>;

beforeAll(async () => {
  mailServer = await startMailServer();
  const from = "Stocktake <stocktake@example.com>";
  const mailer = createSmtpMailer({ url: mailServer.url, from, logger: pino({ level: "silent" }) });
  server = await startTestServer({
    config: { publicUrl: new URL("https://count.example.com") },
    environment: { mailer },
  });
  for (const [item, available] of Object.entries(onHand)) {
    await server.shop.setStock({ item, location: highStreet, quantities: { available, committed: 0 } });
  }
  const store = await makeStore(server, { shopifyLocation: highStreet, areaCodes: ["A1", "A2", "A3"] });
  admin = new RecordingApi(server.url, server.admin.token);
  await countWholeSession({ server, mailServer, store, session: await begin(server, store, "full") });
});
afterAll(async () => {
  await server.close();
  await mailServer.close();
});

/**
 * Ada counts, Ben is asked for second counts by a tolerance, by the administrator and by a sample, Cleo for the third ones, in which
 * she finds what the first had; Dora only looks.
 */
async function countWholeSession(scene: CountedSession): Promise<void> {
  const params = { id: scene.session._id };
  const limits = { tolerance: { over: tolerance, short: tolerance } };
  await admin.call(contract.setSessionTolerance, { params, body: limits });
  phones = {
    ada: await RecordingPhone.open(scene, await arriveByInvitation(scene, "Ada")),
    ben: await RecordingPhone.open(scene, await arriveByInvitation(scene, "Ben")),
    cleo: await RecordingPhone.open(scene, await arriveByCode(scene, "Cleo")),
    dora: await RecordingPhone.open(scene, await arriveByPassword(scene, "Dora")),
  };
  const { ada, ben, cleo, dora } = phones;
  for (const [code, units] of Object.entries(firstCounts)) await ada.count(code, { units, slip: slips.Ada });
  await applyTolerances(server.context);
  await askForMore(params);
  await dora.readEverything();

  for (const [code, units] of Object.entries(secondCounts)) {
    const { status, only } = await ben.count(code, { units, slip: slips.Ben });
    expect([code, status]).toEqual([code, "not_started"]);
    if (code === "A2") expect(only).toEqual(["JK-1001"]);
  }
  await ben.answersSearch(1, "BELT-1", "not_there");
  for (const [code, units] of Object.entries(firstCounts))
    await cleo.count(code, { units, slip: slips.Cleo });
  const { differences } = await admin.call(contract.countDifferences, { params });
  expect(differences.map(({ settledAs }) => settledAs)).toEqual(["first", "first", "first"]);

  for (const phone of Object.values(phones)) await phone.readEverything();
  await admin.call(contract.endSession, { body: { sessionId: scene.session._id } });
  for (const phone of Object.values(phones)) {
    await phone.api.send(contract.listSessions, {});
    for (const areaCode of Object.keys(firstCounts)) await phone.readArea(areaCode);
    await phone.signOut();
  }
}

async function askForMore(params: { readonly id: string }): Promise<void> {
  await admin.call(contract.askSecondCounts, { params, body: { skus: ["JK-1001"] } });
  await admin.call(contract.drawSample, { params, body: { areas: 1 } });
  const search = { skus: ["BELT-1"], areaId: null, personId: null };
  await admin.call(contract.createSearches, { params, body: search });
  const asked = (await admin.call(contract.secondCounts, { params })).secondCounts;
  expect(asked.map(({ area, origin }) => [area.code, origin]).toSorted()).toEqual([
    ["A1", "tolerance"],
    ["A2", "administrator"],
    ["A3", "sample"],
  ]);
}

test("nothing that a counter's phone receives in a whole session holds an expected figure, another's count or a tolerance", () => {
  const { ada, ben, cleo, dora } = phones;
  const { Ada, Ben, Cleo } = slips;
  expect(held(ada.received(), [...secrets, ...second, Ben, Cleo])).toEqual([]);
  expect(held(ben.received(), [...secrets, ...first, Ada, Cleo])).toEqual([]);
  // She counted the same as the first, which she could not know.
  expect(held(cleo.received(), [...secrets, ...second, Ada, Ben])).toEqual([]);
  expect(held(dora.received(), [...secrets, ...first, ...second, Ada, Ben, Cleo])).toEqual([]);
});

test("these phones make every call that a counter may make", () => {
  const made = new Set(Object.values(phones).flatMap((phone) => phone.made()));
  const ofCounters = contract.allCalls.filter(({ access }) => access !== "admin");
  const missing = ofCounters.filter((call) => !made.has(call) && !noCounters.has(call));
  expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  expect([...noCounters.keys()].filter((call) => made.has(call) || call.access === "admin")).toEqual([]);
});

test("the search finds all of it in what the administrator reads, and a person's own counts on their phone", async () => {
  const [{ _id: id } = { _id: "" }] = (await admin.call(contract.listSessions, {})).sessions;
  await admin.call(contract.countDifferences, { params: { id } });
  await admin.call(contract.sessionTolerance, { params: { id } });
  await admin.call(contract.varianceReport, { params: { sessionId: id }, query: { view: "all" } });
  const shown = [...Object.values(onHand), ...Object.values(tolerance), ...first, ...second];
  expect(held(admin.answers.join("\n"), shown)).toEqual(shown);
  const { rows } = await server.database.pool.query("select to_json(tolerances) as stored from tolerances");
  expect(held(JSON.stringify(rows), storedTolerance)).toEqual(storedTolerance);
  expect(held(phones.ada.received(), [...first, slips.Ada])).toEqual([...first, slips.Ada]);
  expect(held(phones.ben.received(), [...second, slips.Ben])).toEqual([...second, slips.Ben]);
});
