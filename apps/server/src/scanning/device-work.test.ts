import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate, readMigrations } from "../database/migrate.ts";
import { createEmptyDatabase } from "../database/testing.ts";
import { query } from "../database/testing-process.ts";

let target: Awaited<ReturnType<typeof createEmptyDatabase>>;
beforeAll(async () => {
  target = await createEmptyDatabase();
});
afterAll(() => target.drop());

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** As a server of any release writes scans: it need not do anything for work to be totalled. */
const store = (rows: string) => `
  insert into scans (session_id, store_id, location_id, area_id, pass, device_id, seq, input, input_type, method, status,
      quantity, scanned_at, scanned_by, sent_by, resolved_by)
    select '${id(1)}', '${id(2)}', '${id(3)}', '${id(4)}', 2, device_id, seq, 'x', 'sku', 'scan', status, quantity,
      scanned_at::timestamptz, '${id(5)}', '${id(5)}', resolved_by::uuid
    from (values ${rows}) as scan (device_id, seq, status, quantity, scanned_at, resolved_by)`;

const work = () =>
  query(
    target.connection,
    `select device_id as device, scans, counted_scans, counted::integer, accepted::integer,
       to_char(last_scan_at at time zone 'UTC', 'HH24:MI') as last from device_work order by device_id`,
  );

test("work is of the scans that are left, those of the release before among them, whoever writes them", async () => {
  const migrations = await readMigrations();
  const earlier = migrations.findIndex(({ name }) => name.endsWith("_device_work.sql"));
  await migrate(target.connection, { migrations: migrations.slice(0, earlier) });
  await query(
    target.connection,
    store(`('a', 1, 'counted', 12, '2026-03-01T08:00Z', null), ('a', 2, 'unresolved', 3, '2026-03-01T09:00Z', null),
      ('a', 3, 'late', 1, '2026-03-01T10:00Z', null), ('a', 4, 'voided', 1, '2026-03-01T11:00Z', null),
      ('b', 1, 'counted', 5, '2026-03-01T07:00Z', '${id(5)}')`),
  );
  await migrate(target.connection, { migrations });
  const a = { device: "a", scans: 2, counted_scans: 1, counted: 12, accepted: 0, last: "09:00" };
  const b = { device: "b", scans: 1, counted_scans: 1, counted: 5, accepted: 5, last: "07:00" };
  expect(await work()).toEqual([a, b]);

  await query(target.connection, store("('a', 5, 'counted', 1, '2026-03-01T08:30Z', null)"));
  expect(await work()).toEqual([{ ...a, scans: 3, counted_scans: 2, counted: 13 }, b]);

  // The newest is taken back, another is accepted, and the only one of a device goes to another pass.
  await query(target.connection, "update scans set status = 'voided' where device_id = 'a' and seq = 2");
  await query(
    target.connection,
    `update scans set status = 'counted', resolved_by = '${id(5)}' where device_id = 'a' and seq = 3`,
  );
  await query(target.connection, "update scans set status = 'voided' where device_id = 'a' and seq = 3");
  expect(await work()).toEqual([{ ...a, counted_scans: 2, counted: 13, last: "08:30" }, b]);

  await query(target.connection, "delete from scans where device_id = 'b'");
  await query(
    target.connection,
    "update scans set area_id = gen_random_uuid() where device_id = 'a' and seq = 1",
  );
  expect((await work()).map(({ device, scans, counted }) => [device, scans, counted])).toEqual(
    expect.arrayContaining([
      ["a", 1, 1],
      ["a", 1, 12],
    ]),
  );
});
