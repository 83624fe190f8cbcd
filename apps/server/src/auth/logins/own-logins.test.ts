import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { sessionRoutes } from "../../sessions/routes.ts";
import { makePermanentCounter } from "../../testing/scenes.ts";
import type { TestApi } from "../../testing/test-api.ts";
import { adminPassword, startTestServer, type TestServer, tokenOf } from "../../testing/test-server.ts";
import { authRoutes } from "../routes.ts";

const phone =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Mobile Safari/537.36";
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ slices: [authRoutes, sessionRoutes] });
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.admin.call(contract.endOtherLogins, {});
});

async function signIn(userAgent: string): Promise<TestApi> {
  const body = { password: adminPassword };
  const { headers } = await server.stranger.send(contract.adminLogin, { body }, { "user-agent": userAgent });
  return server.as(tokenOf(headers));
}

async function loginsOf(api: TestApi): Promise<contract.Login[]> {
  return (await api.call(contract.listLogins, {})).logins;
}

async function isSignedIn(api: TestApi): Promise<boolean> {
  return (await api.send(contract.whoAmI, {})).status === 200;
}

describe("the list of one's own logins", () => {
  test("names each browser, when it signed in and was last seen, and which one this is", async () => {
    const api = await signIn(phone);
    const logins = await loginsOf(api);
    expect(logins).toHaveLength(2);
    expect(logins[0]).toEqual({
      _id: expect.any(String),
      browser: "Chrome on Android",
      signedInAt: expect.stringMatching(time),
      lastSeenAt: expect.stringMatching(time),
      endsAt: expect.stringMatching(time),
      isThisOne: true,
    });
    expect(logins[1]?.isThisOne).toBe(false);
  });

  test("holds nothing that opens a login", async () => {
    const api = await signIn(phone);
    const { rows } = await server.database.pool.query("select encode(token_hash, 'hex') as hash from logins");
    const text = JSON.stringify(await loginsOf(api));
    for (const secret of [api.token ?? "", ...rows.map(({ hash }) => hash)])
      expect(text).not.toContain(secret);
  });

  test("leaves out what has run out", async () => {
    const api = await signIn(phone);
    const [own] = await loginsOf(api);
    await server.database.pool.query("update logins set expires_at = now() where id = $1", [own?._id]);
    expect(await loginsOf(server.admin)).toHaveLength(1);
  });

  test("leaves out what signing in elsewhere has ended, which is not ended once more", async () => {
    const [own] = await loginsOf(await signIn(phone));
    const id = own?._id ?? "";
    await server.database.pool.query("update logins set replaced_at = now() where id = $1", [id]);
    expect(await loginsOf(server.admin)).toHaveLength(1);
    const refusal = await server.admin.refusal(contract.endOwnLogin, { params: { id } });
    expect(refusal).toMatchObject({ status: 404, code: "NOT_FOUND" });
    expect(await server.admin.call(contract.endOtherLogins, {})).toMatchObject({ ended: 0 });
    await server.database.pool.query("delete from logins where id = $1", [id]);
  });

  test("says when a login was last used, right to five minutes", async () => {
    const set = (minutes: number) =>
      server.database.pool.query("update logins set last_seen_at = now() - make_interval(mins => $1)", [
        minutes,
      ]);
    const age = async () => {
      const [login] = await loginsOf(server.admin);
      return (Date.now() - Date.parse(login?.lastSeenAt ?? "")) / 60_000;
    };
    await set(4);
    expect(await age()).toBeGreaterThan(3);
    await set(6);
    await server.admin.call(contract.whoAmI, {});
    await vi.waitFor(async () => expect(await age()).toBeLessThan(1));
  });
});

describe("ending logins", () => {
  test("ends the one that is named, at once", async () => {
    const [kept, ended] = [await signIn("kept"), await signIn(phone)];
    const [{ _id: id } = { _id: "" }] = await loginsOf(ended);
    await server.admin.call(contract.endOwnLogin, { params: { id } });
    expect(await Promise.all([kept, ended, server.admin].map(isSignedIn))).toEqual([true, false, true]);
    expect(await server.admin.refusal(contract.endOwnLogin, { params: { id } })).toMatchObject({
      status: 404,
    });
  });

  test("ends all others, and says how many", async () => {
    const others = [await signIn("one"), await signIn("two")];
    expect(await server.admin.call(contract.endOtherLogins, {})).toEqual({ ended: 2 });
    expect(await Promise.all([...others, server.admin].map(isSignedIn))).toEqual([false, false, true]);
    expect(await server.admin.call(contract.endOtherLogins, {})).toEqual({ ended: 0 });
  });

  test("never ends another person's", async () => {
    const { api } = await makePermanentCounter(server, "Grace");
    const [{ _id: id } = { _id: "" }] = await loginsOf(server.admin);
    for (const params of [{ id }, { id: "made-up" }]) {
      expect(await api.refusal(contract.endOwnLogin, { params })).toMatchObject({
        status: 404,
        code: "NOT_FOUND",
      });
    }
    expect(await api.call(contract.endOtherLogins, {})).toEqual({ ended: 0 });
    expect(await Promise.all([server.admin, api].map(isSignedIn))).toEqual([true, true]);
    expect(await loginsOf(api)).toHaveLength(1);
  });

  test("is in the audit log with the browsers, and nothing that opens a login", async () => {
    await signIn(phone);
    await server.admin.call(contract.endOtherLogins, {});
    const entry = await server.database.database
      .selectFrom("auditEntries")
      .select(["actorName", "action", "before", "after"])
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    expect(entry).toEqual({
      actorName: "admin",
      action: "logins.ended",
      before: { browsers: ["Chrome on Android"] },
      after: null,
    });
  });
});
