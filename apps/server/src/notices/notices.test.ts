import * as contract from "@stocktake/contract";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { resetAdminPassword } from "../auth/admin-password.ts";
import { createPasswords } from "../auth/passwords.ts";
import { endLateChallenges, wrongAnswers } from "../auth/second-factor/challenges.ts";
import { addAuthenticator, codeOf } from "../auth/testing/factor-scene.ts";
import { alarming } from "../auth/watch-guessing.ts";
import { createSmtpMailer } from "../mail/smtp-mailer.ts";
import { startMailServer } from "../mail/testing.ts";
import { adminPassword } from "../testing/test-server.ts";
import { sendNotices } from "./send-notices.ts";
import { config, logger, NoticeScene } from "./testing-notice-scene.ts";

const scene = new NoticeScene();
const { query, mailsSent, subjectsSent, signIn, markIn, noticed, guess } = scene;

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
    const { counter } = await scene.admin.call(contract.createCounter, { body });
    await scene.server.stranger.call(contract.counterLogin, { body });
    const shopsBrowser = {
      origin: config.publicUrl.origin,
      cookie: markIn(await signIn(adminPassword)).split(";")[0] ?? "",
    };
    await query("delete from notices where facts ->> 'role' = 'admin'");
    await scene.server.stranger.send(contract.counterLogin, { body }, shopsBrowser);
    const change = { params: { id: counter._id }, body: { password: "another-day" } };
    await scene.admin.call(contract.updateCounter, change);
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
    await scene.admin.call(contract.changeAdminPassword, { body });
    await resetAdminPassword(scene.server.database.database, createPasswords(), adminPassword);
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

  test("at the end of the hour of what came again while the first mail was under way", async () => {
    const headers = { "x-forwarded-for": "203.0.113.7" };
    await signIn(adminPassword, headers);
    const send = async () => void (await signIn(adminPassword, headers));
    const mailer = { kind: "smtp", send, check: async () => true } as const;
    await sendNotices({ ...scene.server.context, mailer });
    expect(await mailsSent()).toEqual([]);
    await query("update notices set next_mail_at = next_mail_at - interval '1 hour'");
    expect((await mailsSent())[0]?.body).toContain("2 times within the hour");
    expect(await mailsSent()).toEqual([]);
  });

  test("of guessing and of changed passwords before whatever else waits", async () => {
    await query(`insert into notices (kind, facts, began_at)
      select 'new_browser', jsonb_build_object('username', 'Grace', 'role', 'counter', 'address', '203.0.113.' || number),
        now() - interval '1 hour'
      from generate_series(1, 40) number`);
    await guess(alarming.lately + 1);
    const body = { currentPassword: adminPassword, newPassword: adminPassword };
    await scene.admin.call(contract.changeAdminPassword, { body });
    const subjects = await subjectsSent();
    expect(subjects).toContain("Stocktake: Somebody is guessing passwords");
    expect(subjects).toContain("Stocktake: A password was changed");
  });

  test("later, where the mail server is out of order; the sign-in knows nothing of it", async () => {
    await scene.mailServer.close();
    expect((await signIn(adminPassword)).status).toBe(200);
    expect(await mailsSent()).toEqual([]);
    scene.mailServer = await startMailServer();
    expect(await mailsSent()).toEqual([]);
    await query("update notices set next_mail_at = now()");
    expect(await mailsSent()).toHaveLength(1);
    expect(await mailsSent()).toEqual([]);
  });

  test("by one of several nodes", async () => {
    await signIn(adminPassword);
    const mailer = createSmtpMailer({ url: scene.mailServer.url, from: "stocktake@example.com", logger });
    await Promise.all([1, 2, 3].map(() => sendNotices({ ...scene.server.context, mailer })));
    expect(scene.mailServer.mails).toHaveLength(1);
  });

  test("of nothing where no address is set, nor of what was long ago", async () => {
    await signIn(adminPassword);
    const mailer = createSmtpMailer({ url: scene.mailServer.url, from: "stocktake@example.com", logger });
    await sendNotices({
      ...scene.server.context,
      config: { ...scene.server.context.config, adminEmail: null },
      mailer,
    });
    await query("update notices set next_mail_at = now() - interval '25 hours'");
    expect(await mailsSent()).toEqual([]);
  });
});

describe("of a right password without the second factor the administrator is told", () => {
  let secret: string;
  beforeEach(async () => {
    ({ secret } = await addAuthenticator(scene.admin));
  });
  afterEach(() =>
    query("delete from authenticator_apps; delete from recovery_codes; delete from sign_in_challenges"),
  );

  async function challenged(headers: Record<string, string>): Promise<string> {
    const { body } = await signIn(adminPassword, headers);
    return contract.ErrorBody.parse(body).secondFactor?.challenge ?? "";
  }

  const show = (challenge: string, code: string, from: Record<string, string>) =>
    scene.server.stranger.send(
      contract.finishAdminLogin,
      { body: { challenge, factor: { method: "code", code } } },
      { origin: config.publicUrl.origin, ...from },
    );

  async function expire(): Promise<void> {
    await query("update sign_in_challenges set expires_at = now() - interval '1 second'");
    await endLateChallenges(scene.server.database.database);
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

  test("with when it was, however long the server was stopped meanwhile", async () => {
    for (const minutes of [0, 20, 70]) {
      const challenge = await challenged(stranger);
      await query(`update sign_in_challenges set expires_at = timestamptz '2026-03-01T08:05:00Z' + interval '${minutes} minutes'
        where token_hash = sha256('${challenge}')`);
    }
    await endLateChallenges(scene.server.database.database);
    const mails = (await mailsSent()).map(({ body }) => body);
    expect(mails.map((body) => /At (.+? UTC)/.exec(body)?.[1]).sort()).toEqual([
      "2026-03-01 08:00 UTC",
      "2026-03-01 09:10 UTC",
    ]);
    expect(mails.filter((body) => body.includes("2 times within the hour"))).toHaveLength(1);
  });

  test("as of something of which the end is not known, where a backup of meanwhile was restored", async () => {
    await challenged(stranger);
    await query("update sign_in_challenges set expires_at = now() - interval '2 days'");
    await query("update installation set restored_at = now() - interval '1 day'");
    await endLateChallenges(scene.server.database.database);
    await query("update installation set restored_at = null");
    const [mail] = await mailsSent();
    expect(mail?.body).toContain("whether one followed is not known");
    expect(mail?.body).not.toContain("Nobody was signed in");
  });

  test("as of something of which the end is not known, where that holds of one of several within the hour", async () => {
    await challenged(stranger);
    await expire();
    await query("update installation set restored_at = now()");
    await challenged(stranger);
    await expire();
    await query("update installation set restored_at = null");
    const [mail] = await mailsSent();
    expect(mail?.body).toContain("2 times within the hour");
    expect(mail?.body).toContain("whether one followed is not known");
    expect(mail?.body).not.toContain("Nobody was signed in");
  });

  /** Tells now of a right password of two days ago, twenty minutes after those of before. */
  async function tellLate(): Promise<void> {
    await challenged(stranger);
    await query(
      "update sign_in_challenges set expires_at = now() - interval '2 days' + interval '20 minutes'",
    );
    await endLateChallenges(scene.server.database.database);
  }
  const twoDaysAgo = "now() - interval '2 days'";

  test("at once where it came again and is told days later", async () => {
    await challenged(stranger);
    await expire();
    expect(await mailsSent()).toHaveLength(1);
    await query(
      `update notices set began_at = ${twoDaysAgo}, last_at = ${twoDaysAgo}, mailed_at = ${twoDaysAgo}`,
    );
    await tellLate();
    expect((await mailsSent()).map(({ body }) => body)).toEqual([
      expect.stringContaining("2 times within the hour"),
    ]);
    expect(await mailsSent()).toEqual([]);
  });

  test("once more where it is told days later, while the mail of the first is under way", async () => {
    await challenged(stranger);
    await expire();
    await query(`update notices set began_at = ${twoDaysAgo}, last_at = ${twoDaysAgo}`);
    await sendNotices({
      ...scene.server.context,
      mailer: { kind: "smtp", send: tellLate, check: async () => true },
    });
    expect((await mailsSent()).map(({ body }) => body)).toEqual([
      expect.stringContaining("2 times within the hour"),
    ]);
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
