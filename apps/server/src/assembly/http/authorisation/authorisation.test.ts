import { randomUUID } from "node:crypto";
import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Answered, TestApi } from "../../../testing/test-api.ts";
import { adminPassword, startTestServer, type TestServer } from "../../../testing/test-server.ts";
import { fingerprint, givenTo, make, nameOf, setScene } from "../testing.ts";
import { sendRaw } from "../testing-raw.ts";
import { assemblePeople, type KindOfPerson, kindsOfId, type Person } from "./testing-people.ts";
import {
  expectedOf,
  type Form,
  formsWith,
  type Outcome,
  outcomeOf,
  reachOfSignedIn,
} from "./testing-rules.ts";

let server: TestServer;
let people: readonly Person[];

beforeAll(async () => {
  server = await startTestServer();
  people = await assemblePeople(server);
});
afterAll(() => server.close());

/** One person's call, and what is expected of it. */
interface Case extends Form {
  readonly person: Person;
  readonly api: TestApi;
  readonly expected: Outcome;
}

function casesOf(call: contract.CallDefinition, isMeant: (expected: Outcome) => boolean): Promise<Case[]> {
  // A public call that changes something may end the login that it is made with.
  const mayEndLogin = call.access === "public" && call.method !== "GET";
  const cases = people.flatMap((person) =>
    kindsOfId.flatMap((ids) =>
      formsWith(call, person.places, ids).map((form) => {
        return { ...form, person, expected: expectedOf(call, person.kind, ids, form.names) };
      }),
    ),
  );
  return Promise.all(
    cases
      .filter(({ expected }) => isMeant(expected))
      .map(async (form) => ({
        ...form,
        api: mayEndLogin ? await form.person.onAnotherDevice() : form.person.api,
      })),
  );
}

/** What somebody is told who opens the stream of events, which has no end. */
async function openStream(api: TestApi): Promise<Answered> {
  const response = await fetch(`${api.url}/api/events`, {
    headers: api.token === null ? {} : { cookie: `stocktake_session=${api.token}` },
  });
  const { status, headers } = response;
  if (status >= 400) return { status, headers, body: await response.json() };
  await response.body?.cancel();
  return { status, headers, body: undefined };
}

function answerTo(call: contract.CallDefinition, { api, given }: Case): Promise<Answered> {
  return call === contract.events ? openStream(api) : make(api, call, given);
}

/** What came of the call; of a batch, of the one scan in it. */
function outcomeIn({ status, body }: Answered, { person }: Pick<Case, "person">): Outcome {
  const batch = contract.postScanBatch.answer.safeParse(body).data?.results[0];
  const outcome =
    batch === undefined
      ? outcomeOf(status, contract.ErrorBody.safeParse(body).data?.code)
      : outcomeOf(batch.httpStatus, "code" in batch ? batch.code : undefined);
  // That a session is over has nothing to do with who the administrator is.
  return person.kind === "administrator" && outcome === "409 SESSION_CLOSED" ? "done" : outcome;
}

const labelOf = ({ person, ids, names }: Case) => [person.kind, ids, ...names].join(", ");

/** Makes the cases one after the other and compares what came of all with what was expected; returns the answers. */
async function expectOutcomes(call: contract.CallDefinition, cases: readonly Case[]) {
  const made: { each: Case; answer: Answered }[] = [];
  for (const each of cases) made.push({ each, answer: await answerTo(call, each) });
  const outcomes = made.map(({ each, answer }) => `${labelOf(each)}: ${outcomeIn(answer, each)}`);
  expect(outcomes).toEqual(cases.map((each) => `${labelOf(each)}: ${each.expected}`));
  return made;
}

describe("who may not make a call learns nothing about its form", () => {
  const asking: readonly KindOfPerson[] = ["nobody", "counter", "permanent counter"];
  // What a login came by is asked once the call is understood: those of an invitation are signed in as well.
  const isOpen = (call: contract.CallDefinition) =>
    call.access === "public" || reachOfSignedIn.get(call) === "account";
  const closed = contract.allCalls.filter((call) => !isOpen(call) && call.method !== "GET");
  test.each(closed.map((call) => [nameOf(call), call] as const))("by %s", async (_name, call) => {
    for (const person of people.filter(({ kind }) => asking.includes(kind))) {
      const { kind, api, places } = person;
      const expected = expectedOf(call, kind, "own");
      if (expected !== "401 UNAUTHENTICATED" && expected !== "403 FORBIDDEN") continue;
      const { params, query } = givenTo(call, places.own);
      for (const [type, body] of [
        ["application/json", "{"],
        ["text/plain", "a=b"],
      ] as const) {
        const request = { method: call.method, token: api.token, headers: { "content-type": type }, body };
        const answer = await sendRaw(server.url, contract.callAddress(call, params, query), request);
        expect([kind, type, outcomeIn(answer, { person })]).toEqual([kind, type, expected]);
      }
    }
  });
});

const calls = contract.allCalls.map((call) => [nameOf(call), call] as const);

/** What a device asks for, refused for good as well, tells that it is there. */
const ofDevice: readonly contract.CallDefinition[] = [
  ...[contract.undoScan, contract.resetArea, contract.finishArea, contract.answerSearch],
];

describe("what docs/AUTHORISATION.md refuses is refused and changes nothing [spec:6.1]", () => {
  test.each(calls)("by %s", async (_name, call) => {
    const cases = await casesOf(call, (expected) => expected !== "done");
    const before = await fingerprint(server);
    await expectOutcomes(call, cases);
    // An undo that comes after the session's end changes no count, but puts its figure in doubt (docs/SYNC.md, S16).
    const marked = call === contract.undoScan ? { uncertain_figures: expect.any(String) } : {};
    // When the caller's own device was heard of last is kept once in ten seconds (S10).
    const heard = ofDevice.includes(call) ? { session_devices: expect.any(String) } : {};
    expect(await fingerprint(server)).toEqual({ ...before, ...marked, ...heard });
  });
});

/** What ends what others go on with, or opens it in another way, comes last. */
const last: readonly contract.CallDefinition[] = [
  ...[contract.updateCounter, contract.deleteCounter, contract.endSession, contract.revokeInvitation],
  ...[contract.revokeSessionCode, contract.deletePlan],
];
/** What others end along the way, or what changes how the administrator signs in, comes first. */
const first: readonly contract.CallDefinition[] = [
  ...[contract.endOwnLogin, contract.removePasskey, contract.declinePerson],
];
const rankOf = (call: contract.CallDefinition) => (first.includes(call) ? -first.length : last.indexOf(call));
const inOrder = calls.toSorted(([, left], [, right]) => rankOf(left) - rankOf(right));

describe("what docs/AUTHORISATION.md allows is done, and shows nothing of others [spec:6.1]", () => {
  test.each(inOrder)("by %s", async (_name, call) => {
    const made = await expectOutcomes(call, await casesOf(call, (expected) => expected === "done"));
    // What a token opens is shown to whoever has it.
    if (call.access === "public") return;
    const shown = made.flatMap(({ each, answer }) => {
      const text = JSON.stringify(answer.body ?? "");
      return each.person.hidden.filter((id) => text.includes(id)).map((id) => `${labelOf(each)}: ${id}`);
    });
    expect(shown).toEqual([]);
  });
});

test.each(calls)("%s is served", (_name, call) => {
  expect(server.app.hasRoute({ method: call.method, url: call.path })).toBe(true);
});

describe("an administrator", () => {
  test("signs in with a password and nothing else [spec:6.1]", async () => {
    const body = { password: adminPassword };
    const { user } = await server.stranger.call(contract.adminLogin, { body });
    expect(user).toMatchObject({ username: "admin", role: "admin" });
  });

  test.each(
    [
      [contract.createStore, contract.updateStore, contract.deleteStore],
      [contract.createLocation, contract.updateLocation, contract.deleteLocation],
      [contract.createAreas, contract.updateArea, contract.deleteArea, contract.reopenArea],
      [contract.startSession, contract.updateSession, contract.endSession],
      [contract.createPlan, contract.updatePlan, contract.deletePlan, contract.startPlan],
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

test.each([
  ["scan", contract.postScan, (scannedById: string) => ({ scannedById })],
  ["own total", contract.finishArea, (declaredById: string) => ({ own: true, declaredById })],
  ["total", contract.finishArea, (madeById: string) => ({ madeById })],
  ["reset", contract.resetArea, (madeById: string) => ({ madeById })],
] as const)(
  "a counter can't put a %s into the name of another session's counter, and doesn't learn that there is one",
  async (_what, call, inNameOf) => {
    const own = await setScene(server);
    const foreign = await setScene(server);
    const { body } = givenTo(call, own.place);
    const before = await fingerprint(server);
    const [known, unknown] = await Promise.all(
      [foreign.counter.userId, randomUUID()].map((person) =>
        make(own.counter.api, call, { body: { ...Object(body), ...inNameOf(person) } }),
      ),
    );
    expect([known?.status, known?.body]).toEqual([unknown?.status, unknown?.body]);
    expect(known?.status).toBe(400);
    expect(await fingerprint(server)).toEqual(before);
  },
);
