import { expect, test } from "vitest";
import type { SessionIndex } from "../../catalogue/catalogue.ts";
import { ApiError, notFound } from "../../kernel/api-error.ts";
import { countInEachTest, countsOf, scanBody } from "../testing/scene.ts";
import { readScan } from "./incoming-scan.ts";
import { storeScans } from "./store-scans.ts";

const scene = countInEachTest();

function incoming(sessionId: string, seq: number) {
  const { userId } = scene.counter;
  const caller = {
    userId,
    username: "Ada",
    role: "counter",
    loginHash: Buffer.alloc(32),
    invitation: null,
  } as const;
  return readScan(caller, { ...scanBody(scene, { sessionId, seq }), method: "scan", quantity: 1 });
}

function store(sessionIndex: () => Promise<SessionIndex>, sessionId = scene.session._id, seq = 1) {
  const catalogue = { ...scene.server.context.catalogue, sessionIndex };
  const { database } = scene.server.database;
  return storeScans({ database, catalogue }, sessionId, [incoming(sessionId, seq)]);
}

test.each([[new Error("The catalogue is down.")], [new ApiError("OVERLOADED", "Too much at once.")]])(
  "scans are not called those of no session because the catalogue can't be read: %s",
  async (error) => {
    await expect(store(() => Promise.reject(error))).rejects.toBe(error);
    expect(await countsOf(scene)).toEqual({});
  },
);

test("scans of a session that is not there are each refused as such", async () => {
  const { outcomes, stored } = await store(() => Promise.reject(notFound("The session")));
  expect(outcomes).toMatchObject([{ code: "NOT_FOUND" }]);
  expect(stored).toEqual([]);
});

test("scans of a session that is gone once its areas are locked are not stored", async () => {
  const index = await scene.server.context.catalogue.sessionIndex(scene.session._id, 0);
  const gone = "11111111-1111-4111-8111-111111111111";
  const { outcomes, storeId, stored } = await store(async () => index, gone);
  expect(outcomes).toMatchObject([{ code: "NOT_FOUND" }]);
  expect([storeId, stored]).toEqual([null, []]);
});

test("scans that the database holds for taken, without one that they would be a repeat of, fail instead of being tried for ever", async () => {
  const { pool } = scene.server.database;
  const index = await scene.server.context.catalogue.sessionIndex(scene.session._id, 0);
  await store(async () => index);
  const key = `create unique index scans_once on scans (session_id, input) where session_id = '${scene.session._id}'`;
  await pool.query(key);
  try {
    await expect(store(async () => index, scene.session._id, 2)).rejects.toThrow(
      "neither stored nor found to be repeats",
    );
    expect(await countsOf(scene)).toEqual({ "JK-1000": 1 });
  } finally {
    await pool.query("drop index scans_once");
  }
});
