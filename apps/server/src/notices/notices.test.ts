import * as contract from "@stocktake/contract";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { resetAdminPassword } from "../auth/admin-password.ts";
import { createPasswords } from "../auth/passwords.ts";
import { endLateChallenges, wrongAnswers } from "../auth/second-factor/challenges.ts";
import { addAuthenticator, codeOf, stillAuthRoutes } from "../auth/testing/factor-scene.ts";
import { alarming, watchGuessing } from "../auth/watch-guessing.ts";
import { createSmtpMailer } from "../mail/smtp-mailer.ts";
import { startMailServer, type TestMailServer } from "../mail/testing.ts";
import type { TestApi } from "../testing/test-api.ts";
import { adminPassword, startTestServer, type TestServer, tokenOf } from "../testing/test-server.ts";
import { userRoutes } from "../users/routes.ts";
import { noticeRoutes } from "./routes.ts";
import { sendNotices } from "./send-notices.ts";

const logger = pino({ level: "silent" });
const config = {
  publicUrl: new URL("https://count.example.com"),
  adminEmail: "owner@example.com",
  trustProxy: true,
};
let server: TestServer;
let admin: TestApi;
let mailServer: TestMailServer;

beforeAll(async () => {
  server = await startTestServer({ slices: [stillAuthRoutes, userRoutes, noticeRoutes], config });
});
afterAll(() => server.close());
beforeEach(async () => {
  mailServer = await startMailServer();
  admin = server.as(tokenOf((await signIn(adminPassword)).headers));
  await query("delete from failed_logins; delete from notices");
});
afterEach(() => mailServer.close());

function query(text: string) {
  return server.database.pool.query(text);
}

/** Does what the schedule does each minute, and returns the mails that came. */
async function mailsSent() {
  const mailer = createSmtpMailer({ url: mailServer.url, from: "stocktake@example.com", logger });
  await sendNotices({ ...server.context, mailer });
  return mailServer.mails.splice(0);
}

const subjectsSent = async () => (await mailsSent()).map(({ headers }) => headers.get("subject"));

function signIn(password: string, headers: Record<string, string> = {}) {
  const ofABrowser = { origin: config.publicUrl.origin, ...headers };
  return server.stranger.send(contract.adminLogin, { body: { password } }, ofABrowser);
}

function markIn({ headers }: { headers: Headers }): string {
  return headers.getSetCookie().find((text) => text.startsWith("stocktake_device=")) ?? "";
}

const noticed = async () => (await admin.call(contract.listNotices, {})).notices;

/** Wrong passwords of strangers, and what is done after each. */
async function guess(times: number, from = "203.0.113.") {
  await query(`insert into failed_logins (kind, account, address)
    select 'admin', 'x', '${from}' || number % 7 from generate_series(1, ${times}) number`);
  await watchGuessing(server.database.database, "admin", logger);
}

describe("the administrator is told by mail", () => {
  test("of a sign-in in a new browser, and of none in a known one", async () => {
    const first = await signIn(adminPassword, { "x-forwarded-for": "203.0.113.9" });
    const [mail, ...others] = await mailsSent();
    expect(others).toEqual([]);
    expect(mail?.to).toEqual(["owner@example.com"]);
    expect(mail?.headers.get("subject")).toBe("Stocktake: New sign-in from a new browser");
    expect(mail?.body).toContain("203.0.113.9");
    expect(mail?.body).toContain("https://count.example.com/admin/audit");
    await signIn(adminPassword, { cookie: markIn(first).split(";")[0] ?? "" });
    expect(await mailsSent()).toEqual([]);
  });

  test("of a permanent counter who was created, signs in where nobody has, and is given a new password", async () => {
    const body = { username: "Grace", password: "from-the-navy" };
    const { counter } = await admin.call(contract.createCounter, { body });
    await server.stranger.call(contract.counterLogin, { body });
    const shopsBrowser = {
      origin: config.publicUrl.origin,
      cookie: markIn(await signIn(adminPassword)).split(";")[0] ?? "",
    };
    await query("delete from notices where facts ->> 'role' = 'admin'");
    await server.stranger.send(contract.counterLogin, { body }, shopsBrowser);
    const change = { params: { id: counter._id }, body: { password: "another-day" } };
    await admin.call(contract.updateCounter, change);
    const mails = await mailsSent();
    expect(mails.map(({ headers }) => headers.get("subject"))).toEqual([
      "Stocktake: A new permanent counter",
      "Stocktake: New sign-in from a new browser",
      "Stocktake: A password was changed",
    ]);
    for (const { body: text } of mails) expect(text).toContain("Grace");
  });

  test("of a changed password of their own, by page and by command", async () => {
    const body = { currentPassword: adminPassword, newPassword: adminPassword };
    await admin.call(contract.changeAdminPassword, { body });
    await resetAdminPassword(server.database.database, createPasswords(), adminPassword);
    const mails = await mailsSent();
    expect(mails.map(({ headers }) => headers.get("subject"))).toEqual([
      "Stocktake: A password was changed",
      "Stocktake: A password was changed",
    ]);
    expect(mails[0]?.body).toContain("by admin");
    expect(mails[1]?.body).toContain("by Command line");
  });

  test("once of guessing that goes on, and again when it comes back after an hour", async () => {
    await guess(alarming.lately + 1);
    await guess(5);
    const [mail, ...others] = await mailsSent();
    expect(others).toEqual([]);
    expect(mail?.headers.get("subject")).toBe("Stocktake: Somebody is guessing passwords");
    expect(mail?.body).toContain("31 wrong passwords from 7 addresses");
    await query("update notices set last_at = last_at - interval '61 minutes'");
    await guess(1);
    expect(await mailsSent()).toHaveLength(1);
  });

  test("once an hour of an account's sign-ins from one place, with how many there were", async () => {
    const headers = (last: number) => ({ "x-forwarded-for": `2001:db8:1:2::${last}` });
    for (const last of [1, 2, 3]) await signIn(adminPassword, headers(last));
    const bodiesSent = async () => (await mailsSent()).map(({ body }) => body);
    expect(await bodiesSent()).toEqual([expect.stringContaining("3 times within the hour")]);
    await signIn(adminPassword, headers(4));
    await signIn(adminPassword, headers(5));
    expect(await mailsSent()).toEqual([]);
    await query("update notices set next_mail_at = next_mail_at - interval '1 hour'");
    expect(await bodiesSent()).toEqual([expect.stringContaining("5 times within the hour")]);
    expect(await mailsSent()).toEqual([]);
    await query("update notices set began_at = began_at - interval '61 minutes'");
    await signIn(adminPassword, headers(6));
    expect(await mailsSent()).toHaveLength(1);
  });

  test("of guessing and of changed passwords before whatever else waits", async () => {
    await query(`insert into notices (kind, facts, began_at)
      select 'new_browser', jsonb_build_object('username', 'Grace', 'role', 'counter', 'address', '203.0.113.' || number),
        now() - interval '1 hour'
      from generate_series(1, 40) number`);
    await guess(alarming.lately + 1);
    const body = { currentPassword: adminPassword, newPassword: adminPassword };
    await admin.call(contract.changeAdminPassword, { body });
    const subjects = await subjectsSent();
    expect(subjects).toContain("Stocktake: Somebody is guessing passwords");
    expect(subjects).toContain("Stocktake: A password was changed");
  });

  test("later, where the mail server is out of order; the sign-in knows nothing of it", async () => {
    await mailServer.close();
    expect((await signIn(adminPassword)).status).toBe(200);
    expect(await mailsSent()).toEqual([]);
    mailServer = await startMailServer();
    expect(await mailsSent()).toEqual([]);
    await query("update notices set next_mail_at = now()");
    expect(await mailsSent()).toHaveLength(1);
    expect(await mailsSent()).toEqual([]);
  });

  test("by one of several nodes", async () => {
    await signIn(adminPassword);
    const mailer = createSmtpMailer({ url: mailServer.url, from: "stocktake@example.com", logger });
    await Promise.all([1, 2, 3].map(() => sendNotices({ ...server.context, mailer })));
    expect(mailServer.mails).toHaveLength(1);
  });

  test("of nothing where no address is set, nor of what was long ago", async () => {
    await signIn(adminPassword);
    const mailer = createSmtpMailer({ url: mailServer.url, from: "stocktake@example.com", logger });
    await sendNotices({ ...server.context, config: { ...server.context.config, adminEmail: null }, mailer });
    await query("update notices set began_at = now() - interval '25 hours'");
    expect(await mailsSent()).toEqual([]);
  });
});

describe("of a right password without the second factor the administrator is told", () => {
  let secret: string;
  beforeEach(async () => {
    ({ secret } = await addAuthenticator(admin));
  });
  afterEach(() =>
    query("delete from authenticator_apps; delete from recovery_codes; delete from sign_in_challenges"),
  );

  async function challenged(headers: Record<string, string>): Promise<string> {
    const { body } = await signIn(adminPassword, headers);
    return contract.ErrorBody.parse(body).secondFactor?.challenge ?? "";
  }

  const show = (challenge: string, code: string, from: Record<string, string>) =>
    server.stranger.send(
      contract.finishAdminLogin,
      { body: { challenge, factor: { method: "code", code } } },
      { origin: config.publicUrl.origin, ...from },
    );

  async function expire(): Promise<void> {
    await query("update sign_in_challenges set expires_at = now() - interval '1 second'");
    await endLateChallenges(server.database.database);
  }

  const stranger = { "x-forwarded-for": "203.0.113.66" };

  test("where it expires, and where the codes were wrong", async () => {
    await challenged(stranger);
    expect(await mailsSent()).toEqual([]);
    await expire();
    const [mail, ...others] = await mailsSent();
    expect(others).toEqual([]);
    expect(mail?.headers.get("subject")).toBe("Stocktake: The right password without the second factor");
    expect(mail?.body).toContain("203.0.113.66");
    const from = { "x-forwarded-for": "203.0.113.67" };
    const challenge = await challenged(from);
    for (let wrong = 0; wrong < wrongAnswers; wrong += 1) await show(challenge, "000000", from);
    expect((await mailsSent())[0]?.body).toContain("203.0.113.67");
  });

  test("not in a browser that is known, nor where it followed in the end", async () => {
    const signedIn = await show(await challenged(stranger), codeOf(secret), stranger);
    const known = { ...stranger, cookie: markIn(signedIn).split(";")[0] ?? "" };
    await query("delete from notices");
    await challenged(known);
    await expire();
    await challenged(stranger);
    await show(await challenged(stranger), codeOf(secret, 1), stranger);
    await expire();
    expect(await subjectsSent()).toEqual(["Stocktake: New sign-in from a new browser"]);
  });

  test("on the dashboard where second factors are guessed at, which right ones take back", async () => {
    await query(`insert into failed_logins (kind, account, address) select 'second_factor', id, '203.0.113.66'
      from users, generate_series(1, ${alarming.secondFactors}) where role = 'admin'`);
    await show(await challenged(stranger), "000000", stranger);
    expect(await noticed()).toMatchObject([{ login: "second_factor", wrongPasswords: 11, addresses: 1 }]);
    await show(await challenged(stranger), codeOf(secret), stranger);
    const { rows } = await query("select from failed_logins where kind = 'second_factor'");
    expect(rows).toEqual([]);
  });
});

describe("the dashboard warns of guessing", () => {
  test("in one browser that is known, apart from that of strangers", async () => {
    const known = { cookie: markIn(await signIn(adminPassword)).split(";")[0] ?? "" };
    await signIn("a guess", known);
    await query(`insert into failed_logins (kind, account, address, mark, failed_at)
      select kind, account, address, mark, now() - interval '1 hour'
      from failed_logins, generate_series(1, ${alarming.inOneBrowser - 1})`);
    expect(await noticed()).toEqual([]);
    await signIn("a guess", known);
    expect(await noticed()).toMatchObject([
      { login: "admin", knownBrowser: true, wrongPasswords: alarming.inOneBrowser + 1 },
    ]);
    await guess(alarming.lately + 1);
    expect(await noticed()).toHaveLength(2);
    expect(await subjectsSent()).toContain("Stocktake: Somebody is guessing passwords in a known browser");
  });

  test("with its figures, until it is put away", async () => {
    await guess(alarming.lately);
    expect(await noticed()).toEqual([]);
    await guess(1);
    const [notice] = await noticed();
    expect(notice).toMatchObject({ login: "admin", wrongPasswords: 31, addresses: 7 });
    const params = { id: notice?._id ?? "" };
    await admin.call(contract.dismissNotice, { params });
    expect(await noticed()).toEqual([]);
    expect((await admin.refusal(contract.dismissNotice, { params })).status).toBe(404);
    await guess(1);
    expect(await noticed()).toEqual([]);
  });

  test("as it goes on, and of slow guessing that takes a day", async () => {
    await guess(alarming.today + 1, "198.51.100.");
    await query("update notices set last_at = last_at - interval '11 seconds'");
    await guess(20, "192.0.2.");
    expect(await noticed()).toMatchObject([{ wrongPasswords: 121, addresses: 14 }]);
    await query(
      "delete from notices; update failed_logins set failed_at = failed_at - interval '20 minutes'",
    );
    await watchGuessing(server.database.database, "admin", logger);
    expect(await noticed()).toHaveLength(1);
  });

  test("from wrong passwords as people send them", async () => {
    await query(`insert into failed_logins (kind, account, address)
      select 'admin', 'x', '203.0.113.' || number from generate_series(1, ${alarming.lately}) number`);
    expect((await signIn("a guess")).status).toBe(401);
    expect(await noticed()).toMatchObject([{ login: "admin", wrongPasswords: alarming.lately + 1 }]);
  });
});
