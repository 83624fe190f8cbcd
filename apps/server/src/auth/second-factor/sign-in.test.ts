import { rename } from "node:fs/promises";
import { join } from "node:path";
import * as contract from "@stocktake/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { adminPassword, startTestServer, type TestServer, tokenOf } from "../../testing/test-server.ts";
import { resetAdminPassword } from "../admin-password.ts";
import { createPasswords } from "../passwords.ts";
import {
  addAuthenticator,
  challengeOf,
  codeOf,
  signInWith,
  stillAuthRoutes,
} from "../testing/factor-scene.ts";
import { wrongCodes } from "./authenticator-queries.ts";
import { wrongAnswers } from "./challenges.ts";

let server: TestServer;
let secret: string;
let recoveryCodes: readonly string[];

beforeAll(async () => {
  server = await startTestServer({ slices: [stillAuthRoutes] });
});
afterAll(() => server.close());
beforeEach(async () => {
  await query("delete from authenticator_apps");
  await query("delete from recovery_codes");
  await query("update logins set proved_at = now()");
  ({ secret, recoveryCodes } = await addAuthenticator(server.admin));
});

function query(text: string, values: unknown[] = []) {
  return server.database.pool.query(text, values);
}

const code = (steps = 0) => ({ method: "code", code: codeOf(secret, steps) }) as const;
const recovery = (given: string) => ({ method: "recovery_code", code: given }) as const;
/** No code of any step near this one. */
function wrongCode(): contract.SecondFactor {
  const right = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
  const wrong = ["000000", "111111", "222222", "333333", "444444", "555555"].find(
    (text) => !right.includes(text),
  );
  return { method: "code", code: wrong ?? "" };
}

async function isSignedIn(factor: contract.SecondFactor): Promise<boolean> {
  return (await signInWith(server, factor)).status === 200;
}

describe("signing in where there is a second factor", () => {
  test("takes the right password for half of it: no cookie, and a question for the rest", async () => {
    const body = { password: adminPassword };
    const answer = await server.stranger.send(contract.adminLogin, { body });
    expect(answer.status).toBe(401);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(answer.body).toEqual({
      error: "The password is right. Show your second factor to sign in.",
      code: "SECOND_FACTOR_REQUIRED",
      secondFactor: {
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        methods: ["code", "recovery_code"],
        expiresAt: expect.any(String),
      },
    });
  });

  test("does not tell a wrong password that there is one", async () => {
    const { body } = await server.stranger.send(contract.adminLogin, { body: { password: "wrong" } });
    expect(body).toEqual({ error: "The password is wrong.", code: "UNAUTHENTICATED" });
  });

  test("ends with the code of the app, in the answer of a login by password alone", async () => {
    const { status, body, headers } = await signInWith(server, code());
    expect(status).toBe(200);
    expect(body).toMatchObject({ user: { username: "admin", role: "admin" } });
    expect(headers.getSetCookie()[0]).toMatch(/^stocktake_session=[\w-]{43}; /);
    expect((await server.as(tokenOf(headers)).call(contract.whoAmI, {})).user.role).toBe("admin");
  });

  test.each([-1, 1])("takes the code of a phone whose clock is wrong by %i step", async (steps) => {
    await query("update authenticator_apps set last_step = 0");
    expect(await isSignedIn(code(steps))).toBe(true);
  });

  test("takes no code twice, and none of before the last one", async () => {
    expect(await isSignedIn(code(0))).toBe(true);
    expect(await isSignedIn(code(0))).toBe(false);
    expect(await isSignedIn(code(-1))).toBe(false);
    expect(await isSignedIn(code(1))).toBe(true);
  });

  test("gives one code to one of two who show it at the same time", async () => {
    const answers = await Promise.all([signInWith(server, code()), signInWith(server, code())]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test("takes a recovery code once, however it is typed, and says so in the audit log", async () => {
    const [first = ""] = recoveryCodes;
    expect(await isSignedIn(recovery(` ${first.toUpperCase().replaceAll("-", " ")}`))).toBe(true);
    expect(await isSignedIn(recovery(first))).toBe(false);
    const { rows } = await query("select action, after from audit_entries order by id desc limit 1");
    expect(rows).toEqual([{ action: "recovery_code.used", after: { left: 9 } }]);
  });
});

describe("wrong passwords before", () => {
  const counted = async () => (await query("select kind from failed_logins order by id")).rows;

  test.each(["code", "recovery_code"] as const)(
    "are taken back once a %s has followed the right one, not before",
    async (method) => {
      await query("delete from failed_logins");
      await server.stranger.send(contract.adminLogin, { body: { password: "mistyped" } });
      const { body } = await server.stranger.send(contract.adminLogin, { body: { password: adminPassword } });
      const challenge = contract.ErrorBody.parse(body).secondFactor?.challenge ?? "";
      expect(await counted()).toEqual([{ kind: "admin" }]);
      const show = (factor: contract.SecondFactor) =>
        server.stranger.send(contract.finishAdminLogin, { body: { challenge, factor } });
      await show(wrongCode());
      expect(await counted()).toEqual([{ kind: "admin" }, { kind: "second_factor" }]);
      await show(method === "code" ? code() : recovery(recoveryCodes[0] ?? ""));
      expect(await counted()).toEqual([]);
    },
  );
});

describe("the question", () => {
  test("is over after five wrong answers, also for the right one", async () => {
    const challenge = await challengeOf(server);
    const answer = (factor: contract.SecondFactor) =>
      server.stranger.refusal(contract.finishAdminLogin, { body: { challenge, factor } });
    for (let time = 0; time < wrongAnswers; time += 1) {
      expect(await answer(recovery("not-a-code"))).toMatchObject({ status: 401, code: "UNAUTHENTICATED" });
    }
    expect(await answer(code())).toMatchObject({ status: 401, code: "CHALLENGE_OVER" });
  });

  test.each([
    ["has run out", "update sign_in_challenges set expires_at = now()"],
    ["was of a password that has changed", "delete from sign_in_challenges"],
  ])("that %s takes no answer", async (_what, change) => {
    const challenge = await challengeOf(server);
    await query(change);
    const body = { challenge, factor: code() };
    expect(await server.stranger.refusal(contract.finishAdminLogin, { body })).toMatchObject({
      code: "CHALLENGE_OVER",
    });
  });

  test("is over once the password is changed", async () => {
    const challenge = await challengeOf(server);
    const body = { currentPassword: adminPassword, newPassword: adminPassword };
    await server.admin.call(contract.changeAdminPassword, { body });
    const given = { body: { challenge, factor: code() } };
    expect(await server.stranger.refusal(contract.finishAdminLogin, given)).toMatchObject({
      code: "CHALLENGE_OVER",
    });
  });

  test("that somebody makes up is over", async () => {
    const body = { challenge: "made-up", factor: code() };
    expect(await server.stranger.refusal(contract.finishAdminLogin, { body })).toMatchObject({
      code: "CHALLENGE_OVER",
    });
  });
});

describe("guessing codes", () => {
  test("ends after ten, from however many addresses; recovery codes go on opening the account", async () => {
    for (let time = 0; time < wrongCodes; time += 1) expect(await isSignedIn(wrongCode())).toBe(false);
    const refused = await signInWith(server, code());
    expect([refused.status, contract.ErrorBody.parse(refused.body).code]).toEqual([429, "RATE_LIMITED"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(800);
    expect(await isSignedIn(recovery(recoveryCodes[0] ?? ""))).toBe(true);
    await query("update authenticator_apps set wrong_since = wrong_since - interval '15 minutes'");
    expect(await isSignedIn(code())).toBe(true);
  });

  test("begins anew with a right one", async () => {
    for (let time = 0; time < wrongCodes - 1; time += 1) await isSignedIn(wrongCode());
    expect(await isSignedIn(code(0))).toBe(true);
    await isSignedIn(wrongCode());
    expect(await isSignedIn(code(1))).toBe(true);
  });
});

describe("at rest", () => {
  test("no table holds the app's secret, a recovery code or a challenge", async () => {
    const challenge = await challengeOf(server);
    for (const table of ["authenticator_apps", "recovery_codes", "sign_in_challenges"]) {
      const { rows } = await query(`select to_jsonb(t)::text as stored from ${table} t`);
      const stored = rows.map((row) => row.stored).join("\n");
      const bytes = Buffer.from(secret).toString("hex");
      for (const hidden of [secret, bytes, challenge, ...recoveryCodes]) expect(stored).not.toContain(hidden);
    }
  });

  test("a database without the data folder's key checks no code, says so, and takes a recovery code", async () => {
    const { dataDir } = server.context.config;
    const [key, elsewhere] = [join(dataDir, "second-factor.key"), join(dataDir, "elsewhere")];
    await rename(key, elsewhere);
    const refused = await signInWith(server, code());
    const opened = await isSignedIn(recovery(recoveryCodes[0] ?? ""));
    await rename(elsewhere, key);
    expect(contract.ErrorBody.parse(refused.body)).toMatchObject({
      code: "VALIDATION",
      error: expect.stringContaining("This server has not got the key"),
    });
    expect(opened).toBe(true);
    expect(await isSignedIn(code())).toBe(true);
  });
});

test("setting the password at the shell takes every second factor away", async () => {
  await challengeOf(server);
  const { database } = server.database;
  expect(await resetAdminPassword(database, createPasswords(), adminPassword)).toEqual({
    isFirst: false,
    secondFactorsRemoved: 1,
  });
  expect(await resetAdminPassword(database, createPasswords(), adminPassword)).toEqual({
    isFirst: false,
    secondFactorsRemoved: 0,
  });
  const body = { password: adminPassword };
  expect((await server.stranger.send(contract.adminLogin, { body })).status).toBe(200);
  const { rows } = await query(
    "select after from audit_entries where action = 'admin_password.changed' order by id desc limit 2",
  );
  expect(rows.map(({ after }) => after)).toEqual([
    { passwordChanged: true },
    { passwordChanged: true, secondFactorsRemoved: 1 },
  ]);
  const { rows: left } = await query("select from sign_in_challenges union all select from recovery_codes");
  expect(left).toEqual([]);
});
