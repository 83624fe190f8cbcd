import * as contract from "@stocktake/contract";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { invitationRoutes } from "../invitations/routes.ts";
import { accept, invite, setScene } from "../invitations/testing.ts";
import { sessionRoutes } from "../sessions/routes.ts";
import { makePermanentCounter } from "../testing/scenes.ts";
import { adminPassword, startTestServer, type TestServer, tokenOf } from "../testing/test-server.ts";
import { userRoutes } from "../users/routes.ts";
import { wrongGuesses } from "./guess-queries.ts";
import { loginsPerUser } from "./login-queries.ts";
import { addAuthenticator, stillAuthRoutes } from "./testing/factor-scene.ts";

const lines: string[] = [];
const wrongPassword = "a-guess-of-mine";
let server: TestServer;
let adminId: string;

beforeAll(async () => {
  const logger = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  server = await startTestServer({
    slices: [stillAuthRoutes, userRoutes, sessionRoutes, invitationRoutes],
    config: { trustProxy: true },
    environment: { logger },
  });
  adminId = (await server.admin.call(contract.whoAmI, {})).user._id;
});
afterAll(() => server.close());
beforeEach(() => {
  lines.splice(0);
});

/** The lines of an event, without what every line has; all of them name their request. */
function logged(event: string) {
  return lines
    .map((line) => JSON.parse(line))
    .filter((line) => line.event === event)
    .map(({ level, time: _time, pid: _pid, hostname: _hostname, msg: _msg, requestId, ...facts }) => {
      expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
      return { level, ...facts };
    });
}

function signIn(password: string, address: string) {
  const headers = { "x-forwarded-for": address, origin: server.url };
  return server.stranger.send(contract.adminLogin, { body: { password } }, headers);
}

const [info, warn] = [30, 40];

describe("the log tells", () => {
  test("who signed in, and whether in a known browser", async () => {
    const { headers } = await signIn(adminPassword, "203.0.113.1");
    const facts = { level: info, event: "signed_in", userId: adminId, role: "admin", address: "203.0.113.1" };
    expect(logged("signed_in")).toEqual([{ ...facts, knownBrowser: false }]);
    const cookie = headers
      .getSetCookie()
      .map((text) => text.split(";")[0])
      .join("; ");
    await server.stranger.send(contract.adminLogin, { body: { password: adminPassword } }, { cookie });
    expect(logged("signed_in").at(-1)).toMatchObject({ knownBrowser: true });
  });

  test("that a password was right where a second factor is asked for", async () => {
    await addAuthenticator(server.as(tokenOf((await signIn(adminPassword, "203.0.113.8")).headers)));
    await signIn(adminPassword, "203.0.113.9");
    const facts = { kind: "admin", address: "203.0.113.9" };
    expect(logged("password_right")).toEqual([{ level: info, event: "password_right", ...facts }]);
    await server.database.pool.query("delete from authenticator_apps; delete from recovery_codes");
  });

  test("who came by an invitation", async () => {
    const scene = await setScene(server);
    await accept(scene, (await invite(scene)).token);
    expect(logged("signed_in")).toMatchObject([{ role: "counter" }]);
  });

  test("which passwords were refused, and for a while once what the limit refuses", async () => {
    for (let guess = 0; guess < wrongGuesses; guess += 1) await signIn(wrongPassword, "203.0.113.2");
    const facts = { level: warn, kind: "admin", address: "203.0.113.2" };
    expect(logged("sign_in_refused")).toEqual(
      Array.from({ length: wrongGuesses }, () => ({
        ...facts,
        event: "sign_in_refused",
        code: "UNAUTHENTICATED",
      })),
    );
    for (let guess = 0; guess < 5; guess += 1) await signIn(wrongPassword, "203.0.113.2");
    expect(logged("sign_in_limited")).toEqual([
      {
        ...facts,
        event: "sign_in_limited",
        code: "RATE_LIMITED",
        counted: "address",
        retryAfterSeconds: expect.any(Number),
      },
    ]);
  });

  test("a wrong current password", async () => {
    const body = { currentPassword: wrongPassword, newPassword: "another-day" };
    await server.admin.send(contract.changeAdminPassword, { body });
    expect(logged("sign_in_refused")).toMatchObject([{ kind: "password_change", code: "VALIDATION" }]);
  });

  test("which logins ended, and why", async () => {
    const api = server.as(tokenOf((await signIn(adminPassword, "203.0.113.3")).headers));
    const passwords = { currentPassword: adminPassword, newPassword: adminPassword };
    await server.admin.call(contract.changeAdminPassword, { body: passwords });
    const again = server.as(tokenOf((await signIn(adminPassword, "203.0.113.3")).headers));
    await again.call(contract.logout, {});
    await api.send(contract.logout, {});
    const { userId } = await makePermanentCounter(server, "Leaving");
    await server.admin.call(contract.updateCounter, { params: { id: userId }, body: { isActive: false } });
    await server.admin.call(contract.deleteCounter, { params: { id: userId } });
    const { invitation } = await invite(await setScene(server));
    await server.admin.call(contract.revokeInvitation, { params: { id: invitation._id } });
    expect(logged("logins_ended")).toMatchObject([
      { level: info, why: "password_changed", userId: adminId, by: adminId },
      { why: "signed_out", userId: adminId, by: adminId },
      { why: "deactivated", userId, by: adminId },
      { why: "deleted", userId, by: adminId },
      { why: "invitation_revoked", invitationId: invitation._id, by: adminId },
    ]);
  });

  test("which logins a new one ended: the one that its browser held, and the oldest of too many; so does the audit log", async () => {
    const body = { username: "Shared", password: adminPassword };
    const userId = (await server.admin.call(contract.createCounter, { body })).counter._id;
    await server.database.pool.query(
      `insert into logins (token_hash, user_id, browser, created_at, expires_at)
       select sha256(('shared' || number)::bytea), $1, 'Chrome on Android', now() - interval '1 hour', now() + interval '1 day'
       from generate_series(1, $2::integer) number`,
      [userId, loginsPerUser.permanent + 1],
    );
    const scene = await setScene(server);
    const guest = server.as(tokenOf((await accept(scene, (await invite(scene)).token)).headers));
    const guestId = (await guest.call(contract.whoAmI, {})).user._id;
    const shared = await guest.send(contract.counterLogin, { body });
    await server.as(tokenOf(shared.headers)).send(contract.adminLogin, { body: { password: adminPassword } });
    expect(logged("logins_ended")).toMatchObject([
      { why: "replaced", userId: guestId, by: userId, logins: 1 },
      { why: "signed_in_elsewhere", userId, by: userId, logins: 2 },
      { why: "replaced", userId, by: adminId, logins: 1 },
    ]);
    const { rows } = await server.database.pool.query(
      `select actor_name, subject_name, before, after from audit_entries where action = 'logins.ended' order by id desc limit 2`,
    );
    const browsers = ["Chrome on Android", "Chrome on Android"];
    expect(rows).toEqual([
      {
        actor_name: "admin",
        subject_name: "Shared",
        before: { browsers: ["unknown"] },
        after: { why: "replaced" },
      },
      {
        actor_name: "Shared",
        subject_name: "Shared",
        before: { browsers },
        after: { why: "signed_in_elsewhere" },
      },
    ]);
  });

  test("who asked for what is not theirs, once for a while, by the call's pattern", async () => {
    const { api, userId } = await makePermanentCounter(server, "Curious");
    const id = "11111111-1111-4111-8111-111111111111";
    for (let time = 0; time < 3; time += 1) await api.send(contract.deleteCounter, { params: { id } });
    await api.send(contract.listCounters, {});
    const facts = { level: warn, event: "forbidden", userId, address: "127.0.0.1" };
    expect(logged("forbidden")).toEqual([
      { ...facts, call: "DELETE /api/auth/counters/:id" },
      { ...facts, call: "GET /api/auth/counters" },
    ]);
  });

  test("nothing of a password, a cookie or a token", async () => {
    const scene = await setScene(server);
    const { token } = await invite(scene);
    const accepted = await accept(scene, token);
    await server.as(tokenOf(accepted.headers)).send(contract.listCounters, {});
    const answer = await signIn(adminPassword, "203.0.113.4");
    await signIn(wrongPassword, "203.0.113.4");
    const cookies = [accepted, answer].flatMap(({ headers }) =>
      headers.getSetCookie().map((text) => text.split(";")[0]?.split("=")[1] ?? ""),
    );
    const text = lines.join("");
    expect(text).toContain("sign_in_refused");
    for (const secret of [adminPassword, wrongPassword, token, ...cookies])
      expect(text).not.toContain(secret);
  });
});
