import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate, readMigrations } from "../database/migrate.ts";
import { createEmptyDatabase } from "../database/testing.ts";
import { query } from "../database/testing-process.ts";

let target: Awaited<ReturnType<typeof createEmptyDatabase>>;

beforeAll(async () => {
  target = await createEmptyDatabase();
});
afterAll(() => target.drop());

const ids = {
  store: "00000000-0000-4000-8000-000000000001",
  location: "00000000-0000-4000-8000-000000000002",
  area: "00000000-0000-4000-8000-000000000003",
  session: "00000000-0000-4000-8000-000000000004",
  user: "00000000-0000-4000-8000-000000000005",
};

// A scan of each way of being voided, as the release before wrote them, and one that counts.
const before = `
  insert into stores (id, name, shopify_location_id) values ('${ids.store}', 'Harbour', 'gid://1');
  insert into users (id, username, role) values ('${ids.user}', 'Ada', 'counter');
  insert into locations (id, store_id, name) values ('${ids.location}', '${ids.store}', 'Floor');
  insert into areas (id, location_id, store_id, code, name)
    values ('${ids.area}', '${ids.location}', '${ids.store}', 'A1', 'A1');
  insert into sessions (id, store_id, status, scope, shop_domain, shopify_location_id, currency, items, start_snapshot_at)
    values ('${ids.session}', '${ids.store}', 'active', 'full', 'shop', 'gid://1', 'USD', 0, now());
  insert into area_passes (session_id, area_id, pass, ended_as, ended_at, ended_by)
    values ('${ids.session}', '${ids.area}', 1, 'reset', '2026-03-01T08:00Z', '${ids.user}');
  insert into scans (session_id, store_id, location_id, area_id, pass, device_id, seq, input, input_type, method, status,
      reason, scanned_at, scanned_by, sent_by, resolved_by, resolved_at)
    select '${ids.session}', '${ids.store}', '${ids.location}', '${ids.area}', pass, 'device-1', seq, 'x', 'sku', 'scan',
      status, reason, now(), '${ids.user}', '${ids.user}', resolved_by::uuid, resolved_at::timestamptz
    from (values (1, 1, 'voided', 'AREA_RESET', null, null), (1, 2, 'voided', 'UNDONE', null, null),
      (2, 3, 'voided', 'DISMISSED', '${ids.user}', '2026-03-01T09:00Z'), (2, 4, 'counted', null, null, null)
    ) as scan (pass, seq, status, reason, resolved_by, resolved_at);
  insert into device_operations (session_id, op_id, kind, request, status, answer, user_id, created_at)
    values ('${ids.session}', gen_random_uuid(), 'undo', '{"deviceId": "device-1", "seq": 2}', 200,
      '{"undone": {"seq": 2, "sku": null}}', '${ids.user}', '2026-03-01T07:00Z');`;

test("scans that were voided before this was recorded get what is known of it", async () => {
  const migrations = await readMigrations();
  await migrate(target.connection, { migrations: migrations.slice(0, 3) });
  await query(target.connection, before);
  await migrate(target.connection, { migrations });
  const voidings = await query(
    target.connection,
    `select scan.reason, person.username as by, to_char(scan.voided_at at time zone 'UTC', 'HH24:MI') as at
     from scans scan left join users person on person.id = scan.voided_by order by scan.seq`,
  );
  expect(voidings).toEqual([
    { reason: "AREA_RESET", by: "Ada", at: "08:00" },
    { reason: "UNDONE", by: "Ada", at: "07:00" },
    { reason: "DISMISSED", by: "Ada", at: "09:00" },
    { reason: null, by: null, at: null },
  ]);
});
