import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/testing.ts";
import { takeBackSignIns } from "./times-to-come.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

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
  await takeBackSignIns(db.database);
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
