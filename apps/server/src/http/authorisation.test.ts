import { randomUUID } from "node:crypto";
import * as contract from "@stocktake/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePermanentCounter, type TestCounter } from "../testing/scenes.ts";
import type { Answered, TestApi } from "../testing/test-api.ts";
import { startTestServer, type TestServer, tokenOf } from "../testing/test-server.ts";
import {
  type AnyGiven,
  givenTo,
  make,
  nameOf,
  type Place,
  type Scene,
  samples,
  samplesFor,
  sendRaw,
  setScene,
} from "./testing.ts";

let server: TestServer;
let own: Scene;
let foreign: Scene;

beforeAll(async () => {
  server = await startTestServer();
  own = await setScene(server);
  foreign = await setScene(server);
});
afterAll(() => server.close());

const codeOf = ({ body }: Answered): contract.ErrorCode => contract.ErrorBody.parse(body).code;

describe("the walk through the contract", () => {
  test("knows every call, so that a new one has to be looked at here", () => {
    expect(samples.map(({ name }) => name).sort()).toEqual(contract.allCalls.map(nameOf).sort());
  });

  test.each(samples.map(({ name, call }) => [name, call] as const))("%s is served", (_name, call) => {
    expect(server.app.hasRoute({ method: call.method, url: call.path })).toBe(true);
  });
});

/** A call's proper form, and forms that are refused for another reason once the caller may make it. */
async function formsOf(api: TestApi, call: contract.CallDefinition, given: AnyGiven): Promise<Answered[]> {
  const path = contract.callAddress(call, given.params, given.query);
  const raw = { method: call.method, token: api.token };
  const answers = [make(api, call, given)];
  if (call.method !== "GET") {
    answers.push(
      sendRaw(server.url, path, { ...raw, body: "{", headers: { "content-type": "application/json" } }),
      sendRaw(server.url, path, { ...raw, body: "a=b", headers: { "content-type": "text/plain" } }),
    );
  }
  return Promise.all(answers);
}

describe("a stranger", () => {
  test.each(samplesFor("signed-in", "admin"))("learns nothing from %s", async (_name, { call, given }) => {
    for (const answer of await formsOf(server.stranger, call, given(own.place))) {
      expect([answer.status, codeOf(answer)]).toEqual([401, "UNAUTHENTICATED"]);
    }
  });
});

describe("a counter", () => {
  test.each(samplesFor("admin"))("may not make %s", async (_name, { call, given }) => {
    const permanent = await makePermanentCounter(server, `Grace ${randomUUID()}`);
    for (const { api } of [own.counter, permanent]) {
      for (const answer of await formsOf(api, call, given(own.place))) {
        expect([answer.status, codeOf(answer)]).toEqual([403, "FORBIDDEN"]);
      }
    }
  });
});

/** Every table's rows in one line each; a table whose line changed was written to. */
async function fingerprint(): Promise<Record<string, string>> {
  const { database } = server.database;
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by tablename`.execute(database);
  const lines = rows.map(async ({ name }) => {
    const { rows: found } = await sql<{ line: string | null }>`
      select md5(string_agg(row::text, ',' order by row::text)) as line from ${sql.table(name)} as row`.execute(
      database,
    );
    return [name, found[0]?.line ?? ""] as const;
  });
  return Object.fromEntries(await Promise.all(lines));
}

/** Calls that name something: each with what it names of the foreign store, one name at a time and all together. */
const reaching: readonly (readonly [contract.CallDefinition, readonly (keyof Place)[]])[] = [
  [contract.listLocations, ["storeId"]],
  [contract.listAreasOfLocation, ["locationId"]],
  [contract.productMap, ["storeId"]],
  [contract.postScan, ["sessionId", "storeId", "locationId"]],
  [contract.postScanBatch, ["sessionId", "storeId", "locationId"]],
  [contract.deviceMaxSequence, ["sessionId"]],
  [contract.undoScan, ["sessionId", "locationId"]],
  [contract.resetArea, ["sessionId", "locationId"]],
  [contract.finishArea, ["sessionId", "locationId"]],
  [contract.areaScans, ["sessionId", "locationId"]],
];
/** Calls of the signed-in that name nothing: they answer with what is in sight. */
const listing: readonly contract.CallDefinition[] = [
  contract.listStores,
  contract.listAreas,
  contract.listSessions,
  contract.whoAmI,
];
/** Proved with the streams themselves: who hears what is told event by event. */
const streaming: readonly contract.CallDefinition[] = [contract.events];

/** What the single answers inside a batch's answer say, or the answer itself. */
function outcomesOf({ status, body }: Answered): { status: number; code: unknown }[] {
  const batch = contract.postScanBatch.answer.safeParse(body);
  if (!batch.success) return [{ status, code: contract.ErrorBody.safeParse(body).data?.code }];
  return batch.data.results.map((result) => ({
    status: result.httpStatus,
    code: "code" in result ? result.code : undefined,
  }));
}

describe("a temporary counter", () => {
  test("is held against every call of the signed-in", () => {
    const held = [...reaching.map(([call]) => call), ...listing, ...streaming].map(nameOf).sort();
    expect(held).toEqual(
      samplesFor("signed-in")
        .map(([name]) => name)
        .sort(),
    );
  });

  const cases = reaching.flatMap(([call, names]) => [
    ...names.map((name) => [nameOf(call), `another's ${name}`, call, [name]] as const),
    ...(names.length > 1 ? [[nameOf(call), "only another's", call, names] as const] : []),
  ]);
  test.each(cases)(
    "finds nothing by %s with %s ids, and changes nothing",
    async (_name, _which, call, names) => {
      const place = { ...own.place, ...Object.fromEntries(names.map((name) => [name, foreign.place[name]])) };
      const before = await fingerprint();
      const answer = await make(own.counter.api, call, givenTo(call, place));
      expect(outcomesOf(answer)).toEqual([{ status: 404, code: "NOT_FOUND" }]);
      expect(await fingerprint()).toEqual(before);
    },
  );

  test.each(listing.map((call) => [nameOf(call), call] as const))(
    "sees only its own in %s",
    async (_name, call) => {
      const { status, body } = await make(own.counter.api, call);
      expect(status).toBe(200);
      const { storeId, locationId, areaId, sessionId, invitationId } = foreign.place;
      for (const id of [storeId, locationId, areaId, sessionId, invitationId, foreign.store.name]) {
        expect(JSON.stringify(body)).not.toContain(id);
      }
    },
  );

  test("can't put its scan into the name of another session's counter, and doesn't learn that there is one", async () => {
    const { body } = givenTo(contract.postScan, own.place);
    const before = await fingerprint();
    const [known, unknown] = await Promise.all(
      [foreign.counter.userId, randomUUID()].map((scannedById) =>
        make(own.counter.api, contract.postScan, { body: { ...Object(body), scannedById } }),
      ),
    );
    expect([known?.status, known?.body]).toEqual([unknown?.status, unknown?.body]);
    expect(known?.status).toBe(400);
    expect(await fingerprint()).toEqual(before);
  });
});

describe("a permanent counter", () => {
  const cases = reaching.map(([call]) => [nameOf(call), call] as const);
  test.each(cases)("finds nothing by %s where no session runs", async (_name, call) => {
    const { api } = await makePermanentCounter(server, `Alan ${randomUUID()}`);
    const { database } = server.database;
    const set = (status: "active" | "closed", endedAt: Date | null) =>
      database
        .updateTable("sessions")
        .set({ status, ended_at: endedAt })
        .where("id", "=", foreign.place.sessionId)
        .execute();
    await set("closed", new Date("2020-01-01T00:00:00Z"));
    const answer = await make(api, call, givenTo(call, foreign.place));
    await set("active", null);
    expect(outcomesOf(answer)).toEqual([{ status: 404, code: "NOT_FOUND" }]);
  });
});

async function expectNothingOpens(api: TestApi): Promise<void> {
  for (const [name, { call, given }] of samplesFor("signed-in", "admin")) {
    const answer = await make(api, call, given(own.place));
    expect([name, answer.status, codeOf(answer)]).toEqual([name, 401, "UNAUTHENTICATED"]);
  }
}

/** A permanent counter made and signed in by the calls themselves. */
async function signUp(): Promise<{ id: string; username: string; api: TestApi }> {
  const username = `Counter ${randomUUID()}`;
  const account = { username, password: "counting" };
  const { counter } = await server.admin.call(contract.createCounter, { body: account });
  const { headers } = await server.stranger.send(contract.counterLogin, { body: account });
  const api = server.as(tokenOf(headers));
  await api.call(contract.whoAmI, {});
  return { id: counter._id, username, api };
}

describe("a login that was taken away opens nothing from the next call on", () => {
  test("by revoking the invitation", async () => {
    const scene = await setScene(server);
    await server.admin.call(contract.revokeInvitation, { params: { id: scene.place.invitationId } });
    await expectNothingOpens(scene.counter.api);
  });

  test("by signing out", async () => {
    const { api } = await signUp();
    await api.call(contract.logout, {});
    await expectNothingOpens(api);
  });

  test.each([
    ["deactivating the account", { isActive: false }],
    ["giving the account a new password", { password: "another one" }],
  ])("by %s", async (_name, body) => {
    const { id, api } = await signUp();
    await server.admin.call(contract.updateCounter, { params: { id }, body });
    await expectNothingOpens(api);
  });

  test("by deleting the account", async () => {
    const { id, api } = await signUp();
    await server.admin.call(contract.deleteCounter, { params: { id } });
    await expectNothingOpens(api);
  });

  test("by changing the administrator's password on another device", async () => {
    const body = { password: "counting-day" };
    const { headers } = await server.stranger.send(contract.adminLogin, { body });
    const other = server.as(tokenOf(headers));
    await server.admin.call(contract.changeAdminPassword, {
      body: { currentPassword: body.password, newPassword: body.password },
    });
    await expectNothingOpens(other);
  });
});

describe("after the session's end a temporary counter", () => {
  let ended: Scene;
  let token: string;
  let late: TestCounter;

  beforeAll(async () => {
    ended = await setScene(server);
    late = ended.counter;
    const { sessionId, storeId } = ended.place;
    const body = { sessionId, storeId, email: "late@example.com", counterName: "Late" };
    await server.admin.call(contract.createInvitation, { body });
    const { mails } = await server.admin.call(contract.listOutboxMails, {});
    token = mails[0]?.link.split("/").at(-1) ?? "";
    await server.stranger.call(contract.readInvitation, { params: { token } });
    await server.admin.call(contract.endSession, { body: { sessionId } });
  });

  const reads = samplesFor("signed-in").filter(
    ([, { call }]) => call.method === "GET" && call !== contract.events,
  );
  test.each(reads)("still reads by %s", async (_name, { call, given }) => {
    expect((await make(late.api, call, given(ended.place))).status).toBe(200);
  });

  test("still delivers its scans, which are late", async () => {
    const single = await make(late.api, contract.postScan, givenTo(contract.postScan, ended.place));
    expect([single.status, contract.ScanAnswer.parse(single.body).status]).toEqual([201, "late"]);
    const batch = { ...ended.place, deviceId: `device-${randomUUID()}` };
    const { body } = await make(late.api, contract.postScanBatch, givenTo(contract.postScanBatch, batch));
    expect(body).toMatchObject({ results: [{ httpStatus: 201, status: "late", reason: "SESSION_CLOSED" }] });
  });

  test.each(
    [contract.undoScan, contract.resetArea, contract.finishArea].map((call) => [nameOf(call), call] as const),
  )("changes nothing by %s", async (_name, call) => {
    const before = await fingerprint();
    const answer = await make(late.api, call, givenTo(call, ended.place));
    expect([answer.status, codeOf(answer)]).toEqual([409, "SESSION_CLOSED"]);
    expect(await fingerprint()).toEqual(before);
  });

  test("is not joined by anyone else", async () => {
    for (const call of [contract.readInvitation, contract.acceptInvitation]) {
      const answer = await make(server.stranger, call, { params: { token } });
      expect(answer.body).toEqual({ error: "Invalid or expired invitation", code: "NOT_FOUND" });
    }
  });

  test("is signed out after 14 days", async () => {
    const { database } = server.database;
    const shift = (days: string) =>
      sql`update sessions set ended_at = now() - ${days}::interval where id = ${ended.place.sessionId}`.execute(
        database,
      );
    await shift("13 days 23 hours");
    await late.api.call(contract.whoAmI, {});
    await shift("14 days 1 minute");
    await expectNothingOpens(late.api);
  });
});
