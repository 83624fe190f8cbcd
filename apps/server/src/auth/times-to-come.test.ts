import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import { permanentLoginDays } from "./login-queries.ts";
import { endLateChallenges } from "./second-factor/challenges.ts";
import { resetSignInsAhead } from "./times-to-come.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
beforeEach(() => db.pool.query("truncate users cascade; truncate notices"));

test("sign-ins, wrong codes and proofs of a time to come, as a clock that was set back leaves them, last no longer than others", async () => {
  await db.pool.query(`
    with ada as (
      insert into users (username, role, sign_ins, sign_ins_since) values ('ada', 'admin', 300, now() + interval '1 day')
      returning id),
    app as (
      insert into authenticator_apps (user_id, sealed_secret, wrong_codes, wrong_since)
      select id, '', 10, now() + interval '1 day' from ada)
    insert into logins (token_hash, user_id, proved_at)
    select decode(token, 'hex'), ada.id, proved_at
    from ada, (values ('01', now() + interval '1 day'), ('02', now() - interval '1 minute')) given (token, proved_at)`);
  await resetSignInsAhead(db.database);
  const { rows } = await db.pool.query(`
    select encode(token_hash, 'hex') as token, proved_at is not null as is_proved, sign_ins, sign_ins_since <= now() as is_past,
      wrong_codes, wrong_since <= now() as was_wrong
    from logins join users on users.id = logins.user_id join authenticator_apps app on app.user_id = users.id order by token`);
  const account = { sign_ins: 300, is_past: true, wrong_codes: 10, was_wrong: true };
  expect(rows).toEqual([
    { token: "01", is_proved: false, ...account },
    { token: "02", is_proved: true, ...account },
  ]);
});

test("a login that was made while the clock was a year ahead ends as one that is made now; others end as they did", async () => {
  await db.pool.query(`
    with ada as (insert into users (username, role) values ('ada', 'admin') returning id)
    insert into logins (token_hash, user_id, created_at, last_seen_at, expires_at)
    select decode(token, 'hex'), ada.id, made_at, seen_at, expires_at from ada, (values
      ('01', now() + interval '1 year', now() + interval '1 year', now() + interval '1 year 30 days'),
      ('02', now() - interval '5 days', now() - interval '1 day', now() + interval '25 days'),
      ('03', now() - interval '5 days', null, null)) given (token, made_at, seen_at, expires_at)`);
  await resetSignInsAhead(db.database);
  const daysFrom = (time: string) => `round(extract(epoch from ${time} - now()) / 86400)::integer`;
  const { rows } = await db.pool.query(`
    select ${daysFrom("created_at")} as made, ${daysFrom("last_seen_at")} as seen, ${daysFrom("expires_at")} as ends
    from logins order by token_hash`);
  expect(rows).toEqual([
    { made: 0, seen: 0, ends: permanentLoginDays },
    { made: -5, seen: -1, ends: 25 },
    { made: -5, seen: null, ends: null },
  ]);
});

test("a second factor may be shown for no longer than otherwise, and of a stranger's that is not shown the administrator is told", async () => {
  await db.pool.query(`
    with ada as (insert into users (username, role) values ('ada', 'admin') returning id),
    asked as (
      insert into sign_in_challenges (token_hash, user_id, expires_at, stranger_address)
      select '', id, now() + interval '1 year', '203.0.113.9' from ada)
    insert into passkey_challenges (challenge, user_id, purpose, expires_at)
    select 'sign this', id, 'proof', now() + interval '1 year' from ada`);
  await resetSignInsAhead(db.database);
  const { rows } = await db.pool.query(`
    select round(extract(epoch from factor.expires_at - now()) / 60)::integer as factor,
      round(extract(epoch from passkey.expires_at - now()) / 60)::integer as passkey
    from sign_in_challenges factor, passkey_challenges passkey`);
  expect(rows).toEqual([{ factor: 5, passkey: 5 }]);
  await db.pool.query("update sign_in_challenges set expires_at = expires_at - interval '6 minutes'");
  await endLateChallenges(db.database);
  const { rows: told } = await db.pool.query("select kind from notices");
  expect(told).toEqual([{ kind: "factor_not_shown" }]);
});
