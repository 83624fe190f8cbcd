import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { authRoutes } from "../auth/routes.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import { begin, join, makeStore } from "../testing/scenes.ts";
import type { TestApi } from "../testing/test-api.ts";
import { startTestServer, type TestServer, tokenOf } from "../testing/test-server.ts";
import { userRoutes } from "./routes.ts";

const noId = "11111111-1111-4111-8111-111111111111";
const password = "from-the-navy";
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ slices: [authRoutes, userRoutes, sessionRoutes] });
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.pool.query("update users set deleted_at = now() where role = 'counter'");
});

async function create(username: string): Promise<contract.Counter> {
  return (await server.admin.call(contract.createCounter, { body: { username, password } })).counter;
}

function update(id: string, body: { username?: string; password?: string; isActive?: boolean }) {
  return server.admin.call(contract.updateCounter, { params: { id }, body });
}

async function signIn(username: string, given = password): Promise<TestApi> {
  const answer = await server.stranger.send(contract.counterLogin, { body: { username, password: given } });
  return server.as(answer.status === 200 ? tokenOf(answer.headers) : "");
}

async function isSignedIn(api: TestApi): Promise<boolean> {
  return (await api.send(contract.whoAmI, {})).status === 200;
}

describe("creating an account", () => {
  test("answers 201 with the account, never with its password, and lists it by name", async () => {
    const { status, body } = await server.admin.send(contract.createCounter, {
      body: { username: " Grace 10 ", password },
    });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        counter: {
          _id: expect.any(String),
          username: "Grace 10",
          isActive: true,
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      },
    });
    await create("Grace 2");
    await create("ada");
    const { counters } = await server.admin.call(contract.listCounters, {});
    expect(counters.map(({ username }) => username)).toEqual(["ada", "Grace 2", "Grace 10"]);
  });

  test.each(["Grace", "gRACE", "ADMIN"])("with the taken name %s is 409", async (username) => {
    await create("Grace");
    expect(
      await server.admin.refusal(contract.createCounter, { body: { username, password } }),
    ).toMatchObject({ status: 409, code: "USERNAME_TAKEN", details: [{ field: "username" }] });
  });

  test("twice at the same time makes one", async () => {
    const answers = await Promise.all(
      ["Grace", "GRACE"].map((username) =>
        server.admin.send(contract.createCounter, { body: { username, password } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  test("with a password of less than six characters is 400", async () => {
    const body = { username: "Grace", password: "12345" };
    expect(await server.admin.refusal(contract.createCounter, { body })).toMatchObject({
      status: 400,
      details: [{ field: "password" }],
    });
  });

  test("stores no password as it is", async () => {
    await create("Grace");
    const { rows } = await server.database.pool.query("select to_jsonb(u)::text as stored from users u");
    expect(rows.map(({ stored }) => stored).join()).not.toContain(password);
  });
});

describe("changing an account", () => {
  test("to another name leaves it signed in under the new one", async () => {
    const { _id } = await create("Grace");
    const login = await signIn("Grace");
    expect((await update(_id, { username: "Hopper" })).counter.username).toBe("Hopper");
    expect((await login.call(contract.whoAmI, {})).user.username).toBe("Hopper");
  });

  test("to its own name in other letters is allowed, to another's is 409", async () => {
    const { _id } = await create("Grace");
    await create("Ada");
    expect((await update(_id, { username: "GRACE" })).counter.username).toBe("GRACE");
    const taken = { params: { id: _id }, body: { username: "ada" } };
    expect(await server.admin.refusal(contract.updateCounter, taken)).toMatchObject({
      status: 409,
      code: "USERNAME_TAKEN",
    });
  });

  test("to another password ends its logins", async () => {
    const { _id } = await create("Grace");
    const login = await signIn("Grace");
    await update(_id, { password: "new-password" });
    expect(await isSignedIn(login)).toBe(false);
    expect(await isSignedIn(await signIn("Grace"))).toBe(false);
    expect(await isSignedIn(await signIn("Grace", "new-password"))).toBe(true);
  });

  test("to inactive ends its logins and lets nobody in until it is active again", async () => {
    const { _id } = await create("Grace");
    const login = await signIn("Grace");
    expect((await update(_id, { isActive: false })).counter.isActive).toBe(false);
    expect(await isSignedIn(login)).toBe(false);
    expect(await isSignedIn(await signIn("Grace"))).toBe(false);
    await update(_id, { isActive: true });
    expect(await isSignedIn(login)).toBe(false);
    expect(await isSignedIn(await signIn("Grace"))).toBe(true);
  });

  test("with nothing to change answers with it as it is", async () => {
    const counter = await create("Grace");
    expect((await update(counter._id, {})).counter).toEqual(counter);
  });

  test("while somebody signs in with the old password leaves no login of the old one", async () => {
    const { _id } = await create("Grace");
    const [logins] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, () => signIn("Grace"))),
      update(_id, { password: "new-password" }),
    ]);
    const open = await Promise.all(logins.map(isSignedIn));
    expect(open).toEqual(open.map(() => false));
  });
});

describe("deleting an account", () => {
  test("ends its logins, frees its name, and is 404 the second time", async () => {
    const { _id } = await create("Grace");
    const login = await signIn("Grace");
    const { body } = await server.admin.send(contract.deleteCounter, { params: { id: _id } });
    expect(body).toEqual({ success: true });
    expect(await isSignedIn(login)).toBe(false);
    expect(await isSignedIn(await signIn("Grace"))).toBe(false);
    expect(await server.admin.refusal(contract.deleteCounter, { params: { id: _id } })).toMatchObject({
      status: 404,
      code: "NOT_FOUND",
    });
    expect((await create("Grace"))._id).not.toBe(_id);
  });
});

test.each([
  ["unknown", async () => noId],
  ["malformed", async () => "grace"],
  ["the administrator's", async () => (await server.admin.call(contract.whoAmI, {})).user._id],
  [
    "a temporary counter's",
    async () => {
      const store = await makeStore(server, { name: "Pop-up" });
      return (await join(server, await begin(server, store))).userId;
    },
  ],
])("an id that is %s names no account", async (_what, find) => {
  const params = { id: await find() };
  const changed = await server.admin.refusal(contract.updateCounter, { params, body: { isActive: false } });
  const deleted = await server.admin.refusal(contract.deleteCounter, { params });
  expect([changed.status, deleted.status]).toEqual([404, 404]);
});
