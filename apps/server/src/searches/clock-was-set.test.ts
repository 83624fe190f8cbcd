import * as contract from "@stocktake/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { join, type TestCounter } from "../testing/scenes.ts";
import { highStreet } from "../testing/test-shop.ts";
import { SearchScene } from "./testing-search-scene.ts";

const scene = new SearchScene();
/** High Street has 8 of it. */
const sku = "JK-1001";

const run = (statement: string, ...values: readonly unknown[]) =>
  scene.server.database.pool.query(statement, [scene.session._id, ...values]);

/** What was said, decided and read so far was so by a clock that was an hour ahead. */
async function setClockBack(): Promise<void> {
  await run(
    "insert into stock_readings (session_id, sku, read_at, on_hand) values ($1, $2, now() + interval '1 hour', 8)",
    sku,
  );
  await run("update search_answers set answered_at = answered_at + interval '1 hour' where session_id = $1");
  await run("update search_decisions set decided_at = decided_at + interval '1 hour' where session_id = $1");
  await run("update sessions set clock_set_at = now() where id = $1");
}

const decide = (answer: contract.SearchAnswer) =>
  scene.admin.call(contract.decideSearch, { ...scene.ofSession, body: { sku, answer } });

async function searchedUnits(): Promise<number> {
  const ofReport = { params: { sessionId: scene.session._id } };
  return (await scene.admin.call(contract.previewDeploy, ofReport)).searched?.units ?? 0;
}

let cleo: TestCounter;

beforeEach(async () => {
  await scene.create({ skus: [sku] });
  cleo = await join(scene.server, scene.session, { name: "Cleo", email: "cleo@example.com" });
  await scene.scan(scene.ada, "JK-1000", 7);
  await scene.close("A1", 7);
  await scene.say(scene.ben, sku, "not_there");
});

/** What may have been after somebody had looked, whatever the times say. */
const happenings: readonly [string, () => Promise<unknown>, object][] = [
  ["stock that came in", receive, { movedSince: true }],
  ["a scan whose pass was voided", scanAndReset, { voidedSince: true }],
  ["a scan of a second count that was cancelled", scanAgain, { scannedAgain: true }],
];

async function receive(): Promise<void> {
  await scene.server.shop.receive({ item: sku, location: highStreet, quantity: 5 });
  await run(
    "insert into stock_readings (session_id, sku, read_at, on_hand) values ($1, $2, clock_timestamp(), 13)",
    sku,
  );
}

async function scanAndReset(): Promise<void> {
  await scene.scan(cleo, sku, 1, "A2");
  const named = { sessionId: scene.session._id, locationId: scene.store.locationId, areaCode: "A2" };
  await scene.admin.call(contract.resetArea, { body: named });
}

async function scanAgain(): Promise<void> {
  const areaId = scene.store.areas[0]?.id ?? "";
  const { secondCount } = await scene.admin.call(contract.askSecondCount, { body: { areaId } });
  await scene.scan(cleo, sku, 1, "A1", secondCount.pass);
  await scene.admin.call(contract.cancelSecondCount, { body: { areaId } });
}

describe("where the clock was set back after somebody had looked", () => {
  test.each(happenings)(
    "%s contradicts it, whoever looks or decides, until it is decided once the session has ended",
    async (_what, happen, told) => {
      await decide("not_there");
      await setClockBack();
      expect(await scene.item(sku)).toMatchObject({ state: "not_there", clockWasSet: true });
      await happen();
      const contradicted = { state: "contradicted", clockWasSet: true, ...told };
      expect(await scene.item(sku)).toMatchObject(contradicted);
      for (const _ of [1, 2]) await scene.say(scene.ben, sku, "not_there");
      await decide("not_there");
      expect(await scene.item(sku)).toMatchObject(contradicted);
      await scene.end();
      expect([await scene.item(sku), await searchedUnits()]).toMatchObject([contradicted, 0]);
      await decide("not_there");
      expect(await scene.stateOf(sku)).toBe("not_there");
      expect(await searchedUnits()).toBeGreaterThan(0);
    },
  );

  test("the same answer said again is heard once", async () => {
    await setClockBack();
    await receive();
    for (const _ of [1, 2]) await scene.say(scene.ben, sku, "not_there");
    const query = { sessionId: scene.session._id, action: "search.answered" as const };
    expect((await scene.admin.call(contract.listAudit, { query })).entries).toHaveLength(1);
  });

  test("what one person has said on two phones contradicts itself: nobody knows which was the last", async () => {
    const again = await join(scene.server, scene.session, { name: "Ben (2)", email: "ben@example.com" });
    await setClockBack();
    await scene.say(again, sku, "found");
    expect(await scene.stateOf(sku)).toBe("contradicted");
  });
});

test("where the clock was set forward, an answer that waited for a connection ends no decision that it is there", async () => {
  await decide("found");
  await run("update search_decisions set decided_at = decided_at - interval '1 hour' where session_id = $1");
  await run("update sessions set clock_set_at = now() where id = $1");
  await scene.say(cleo, sku, "not_there", 1, "phone of Cleo", { saidAgoMs: 1_800_000 });
  expect(await scene.item(sku)).toMatchObject({ state: "found", decision: { answer: "found" } });
  await decide("not_there");
  expect(await scene.stateOf(sku)).toBe("not_there");
});
