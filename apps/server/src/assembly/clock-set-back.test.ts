import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../kernel/clock.ts";
import { startSchedule } from "../operations/operations.ts";
import { createHeldClock } from "../testing/held-clock.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";

const held = createHeldClock();
let shift = 0;
const machine = { ...held, steady: () => systemClock.steady() + shift };
/** Until the difference to the database's clock is measured again. */
const measuredEachMs = 15_000;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ environment: { workClock: machine } });
  const { database, pool } = server.database;
  const schedule = await startSchedule({ database, pool, tasks: [], logger: pino({ level: "silent" }) });
  await schedule.stop();
});
afterAll(() => server.close());

/** As if the clock had been an hour ahead: what was written so far is of a time to come. */
async function leaveTimesToCome(): Promise<void> {
  await server.database.pool.query(`
    update pgboss.version set cron_on = now() + interval '1 hour', maintained_on = now() + interval '1 hour';
    delete from failed_logins;
    insert into failed_logins (kind, address, account, failed_at, due_at)
    select 'admin', '203.0.113.1', 'ada', now() + interval '1 hour', now() + interval '1 hour' from generate_series(1, 10);
    delete from notices;
    insert into notices (kind, facts, began_at, next_mail_at) values ('guessing', '{}', now(), now() + interval '5 hours')`);
}

async function timesToCome(): Promise<readonly string[]> {
  const { rows } = await server.database.pool.query<{ what: string }>(`
    select 'schedule' as what from pgboss.version where greatest(cron_on, maintained_on) > now()
    union select 'mails' from notices where next_mail_at > now() + interval '1 hour'
    union select 'guesses' from failed_logins where greatest(failed_at, due_at) > now()`);
  return rows.map(({ what }) => what).toSorted();
}

test("a clock that was set back while no server ran holds nothing up", async () => {
  await leaveTimesToCome();
  expect(await timesToCome()).toEqual(["guesses", "mails", "schedule"]);
  const another = await startTestServer({ over: server });
  expect(await timesToCome()).toEqual([]);
  await another.close();
});

test("nor does one that is set back beside a running server", async () => {
  await leaveTimesToCome();
  shift += 3_600_000;
  await held.untilAsleep(measuredEachMs, 1);
  held.pass(measuredEachMs);
  await held.untilAsleep(measuredEachMs, 1);
  expect(await timesToCome()).toEqual([]);
});
