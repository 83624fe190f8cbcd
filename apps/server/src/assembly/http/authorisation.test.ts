import { randomUUID } from "node:crypto";
import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePermanentCounter } from "../../testing/scenes.ts";
import type { Answered, TestApi } from "../../testing/test-api.ts";
import { adminPassword, startTestServer, type TestServer } from "../../testing/test-server.ts";
import {
  type AnyGiven,
  fingerprint,
  givenTo,
  make,
  nameOf,
  nowhere,
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
  test("holds every call, so that a new one has to be added here", () => {
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

describe("an administrator", () => {
  test("signs in with a password and nothing else [spec:6.1]", async () => {
    const body = { password: adminPassword };
    const { user } = await server.stranger.call(contract.adminLogin, { body });
    expect(user).toMatchObject({ username: "admin", role: "admin" });
  });

  // With names that lead to nothing, so that the walk changes nothing: a permitted call is refused for another reason, or done.
  test.each(samplesFor("admin"))("may make %s [spec:6.1]", async (_name, { call, given }) => {
    const { status } = await make(server.admin, call, given(nowhere));
    expect([401, 403]).not.toContain(status);
  });

  test.each(
    [
      [contract.createStore, contract.updateStore, contract.deleteStore],
      [contract.createLocation, contract.updateLocation, contract.deleteLocation],
      [contract.createAreas, contract.deleteArea, contract.reopenArea],
      [contract.startSession, contract.endSession],
      [contract.createInvitation, contract.revokeInvitation],
      [contract.exportReport, contract.deployReport, contract.adjustCount, contract.rollbackReport],
      [contract.changeAdminPassword],
    ]
      .flat()
      .map((call) => [nameOf(call), call] as const),
  )("alone may make %s [spec:6.1]", (_name, call) => {
    expect(call.access).toBe("admin");
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
/** Calls of the signed-in that name nothing: they return what the caller can access. */
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
      const before = await fingerprint(server);
      const answer = await make(own.counter.api, call, givenTo(call, place));
      expect(outcomesOf(answer)).toEqual([{ status: 404, code: "NOT_FOUND" }]);
      expect(await fingerprint(server)).toEqual(before);
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
    const before = await fingerprint(server);
    const [known, unknown] = await Promise.all(
      [foreign.counter.userId, randomUUID()].map((scannedById) =>
        make(own.counter.api, contract.postScan, { body: { ...Object(body), scannedById } }),
      ),
    );
    expect([known?.status, known?.body]).toEqual([unknown?.status, unknown?.body]);
    expect(known?.status).toBe(400);
    expect(await fingerprint(server)).toEqual(before);
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
        .set({ status, endedAt })
        .where("id", "=", foreign.place.sessionId)
        .execute();
    await set("closed", new Date("2020-01-01T00:00:00Z"));
    const answer = await make(api, call, givenTo(call, foreign.place));
    await set("active", null);
    expect(outcomesOf(answer)).toEqual([{ status: 404, code: "NOT_FOUND" }]);
  });
});
