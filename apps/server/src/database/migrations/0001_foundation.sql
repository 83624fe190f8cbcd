-- The whole product's tables. Identifiers are random UUIDs; scans and ledger rows are numbered because their order
-- of arrival is part of what they say. Deleting hides (deleted_at): reports keep names for ever.

create table installation (
  only_row boolean primary key default true check (only_row),
  -- The Shopify shop of first contact; any other is refused.
  shop_domain text,
  shop_name text,
  currency text,
  catalogue_version bigint not null default 0,
  catalogue_read_at timestamptz,
  created_at timestamptz not null default now()
);
insert into installation default values;

create table stores (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  shopify_location_id text not null,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index stores_shopify_location on stores (shopify_location_id) where deleted_at is null;

create table locations (
  id uuid primary key default gen_random_uuid(),
  store_id uuid not null references stores,
  name text not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index locations_name on locations (store_id, lower(name)) where deleted_at is null;

create table users (
  id uuid primary key default gen_random_uuid(),
  username text not null,
  role text not null check (role in ('admin', 'counter')),
  -- argon2id; null for temporary counters, who sign in by their invitation alone.
  password_hash text,
  invitation_id uuid unique,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index users_username on users (lower(username)) where invitation_id is null and deleted_at is null;
create unique index users_one_admin on users (role) where role = 'admin';

create table logins (
  token_hash bytea primary key,
  user_id uuid not null references users,
  created_at timestamptz not null default now(),
  -- Null: as long as the invitation's session runs and 14 days after it.
  expires_at timestamptz
);
create index logins_user on logins (user_id);

-- Wrong passwords, for stopping guesses: 10 from one address in 15 minutes, for each kind of login.
create table failed_logins (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('admin', 'counter', 'password_change')),
  address text not null,
  failed_at timestamptz not null default now()
);
create index failed_logins_address on failed_logins (kind, address, failed_at);

create table areas (
  id uuid primary key default gen_random_uuid(),
  location_id uuid not null references locations,
  store_id uuid not null references stores,
  code text not null,
  name text not null,
  status text not null default 'not_started' check (status in ('not_started', 'in_progress', 'closed')),
  -- Only grows: session start, reset, reopen, restore and a mismatched finish raise it.
  pass integer not null default 1,
  closed_by uuid references users,
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index areas_code on areas (location_id, lower(code)) where deleted_at is null;
create index areas_location on areas (location_id);
create index areas_store on areas (store_id);

create table sessions (
  id uuid primary key default gen_random_uuid(),
  store_id uuid not null references stores,
  status text not null check (status in ('active', 'ending', 'closed')),
  scope text not null check (scope in ('full', 'partial')),
  basis text not null default 'end' check (basis in ('end', 'count')),
  -- The shop and the Shopify location of the start: snapshots, deploy and rollback use these alone.
  shop_domain text not null,
  shopify_location_id text not null,
  currency text not null,
  items integer not null,
  -- Raised whenever session_items grows, so that a matcher in memory knows when it is behind.
  catalogue_version bigint not null default 1,
  start_snapshot_at timestamptz not null,
  -- When the movement of stock was last read; null until it was.
  stock_read_at timestamptz,
  end_snapshot_at timestamptz,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  started_by uuid references users,
  ended_by uuid references users,
  -- Areas that were not closed at the end: [{id, code, name, status}], and how many the store had.
  open_areas jsonb not null default '[]',
  area_count integer not null default 0
);
create unique index sessions_one_running on sessions (store_id) where status in ('active', 'ending');
create index sessions_started on sessions (started_at desc);

create table invitations (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references sessions,
  store_id uuid not null references stores,
  location_id uuid references locations,
  counter_name text not null,
  email text not null,
  token_hash bytea not null unique,
  token_ending text not null,
  created_at timestamptz not null default now(),
  -- When the mail server, or the outbox, took the mail. Null: only the intent, neither listed nor usable.
  sent_at timestamptz,
  used_at timestamptz,
  revoked_at timestamptz
);
create index invitations_session on invitations (session_id);
alter table users add foreign key (invitation_id) references invitations;

-- Mails that no mail server took because none is configured.
create table outbox_mails (
  id uuid primary key default gen_random_uuid(),
  invitation_id uuid references invitations,
  recipient text not null,
  subject text not null,
  body text not null,
  link text not null,
  created_at timestamptz not null default now()
);

-- The shop's variants as last read. `sku` is distinct: an empty or shared one carries "#" and the variant number.
create table catalogue_items (
  sku text primary key,
  plain_sku text,
  inventory_item_id text not null unique,
  variant_number text not null,
  barcode text,
  product_title text not null,
  size text,
  image text,
  tracked boolean not null,
  bundle boolean not null,
  unit_cost_cents integer
);

-- What a session counts against. While it runs, rows are only added.
create table session_items (
  session_id uuid not null references sessions,
  sku text not null,
  plain_sku text,
  inventory_item_id text not null,
  variant_number text not null,
  barcode text,
  product_title text not null,
  size text,
  image text,
  start_on_hand integer not null,
  end_on_hand integer,
  unit_cost_cents integer,
  tracked boolean not null,
  bundle boolean not null,
  stocked boolean not null,
  -- Not in the end snapshot any more.
  gone boolean not null default false,
  primary key (session_id, sku)
);
create unique index session_items_inventory_item on session_items (session_id, inventory_item_id);

-- Every pass that an area went through in a session. The newest one without ended_as is the current one.
create table area_passes (
  session_id uuid not null references sessions,
  area_id uuid not null references areas,
  pass integer not null,
  declared_total integer,
  server_total integer,
  finished_by_device text,
  ended_as text check (ended_as in
    ('closed', 'reset', 'reopened', 'mismatched', 'replaced', 'restored', 'session_ended')),
  ended_at timestamptz,
  ended_by uuid references users,
  primary key (session_id, area_id, pass)
);

create table scans (
  id bigint generated always as identity primary key,
  session_id uuid not null,
  store_id uuid not null,
  location_id uuid not null,
  area_id uuid not null,
  -- The pass the scan counts in; restoring a pass moves it to a new one. sent_pass is what the device said.
  pass integer not null,
  sent_pass integer,
  device_id text not null,
  seq bigint not null,
  op_id uuid,
  input text not null,
  input_type text not null check (input_type in ('barcode', 'sku')),
  method text not null check (method in ('scan', 'manual')),
  sku text,
  status text not null check (status in ('counted', 'unresolved', 'late', 'voided')),
  reason text,
  -- What it was before it was voided, and why it was unresolved, so that a restored pass is what it had been.
  voided_from text check (voided_from in ('counted', 'unresolved')),
  voided_from_reason text,
  scanned_at timestamptz not null,
  -- The scannedAt that the device gave, for comparing repeats; null where it gave none.
  given_scanned_at timestamptz,
  received_at timestamptz not null default now(),
  scanned_by uuid not null,
  sent_by uuid not null,
  resolved_by uuid,
  resolved_at timestamptz
);
create unique index scans_device_seq on scans (session_id, device_id, seq);
create unique index scans_operation on scans (session_id, op_id) where op_id is not null;
create index scans_area_pass on scans (area_id, session_id, pass, id desc);
create index scans_open on scans (session_id, status) where status in ('unresolved', 'late');
create index scans_sku on scans (session_id, sku) where sku is not null;
-- Rows lie in order of arrival, so a few block ranges find the last days without weighing on each insert.
create index scans_received on scans using brin (received_at) with (pages_per_range = 32, autosummarize = on);

-- Running totals of counted scans, changed in the transaction of the scan.
create table scan_totals (
  session_id uuid not null,
  area_id uuid not null,
  pass integer not null,
  sku text not null,
  quantity integer not null check (quantity >= 0),
  first_counted_at timestamptz,
  last_counted_at timestamptz,
  primary key (session_id, area_id, pass, sku)
);
create index scan_totals_sku on scan_totals (session_id, sku);

-- Answers of undo, reset and finish under the device's operation id, replayed to a repeat.
create table device_operations (
  session_id uuid not null references sessions,
  op_id uuid not null,
  kind text not null check (kind in ('undo', 'reset', 'finish')),
  request jsonb not null,
  status integer not null,
  answer jsonb not null,
  user_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (session_id, op_id)
);

create table session_devices (
  session_id uuid not null references sessions,
  device_id text not null,
  user_id uuid not null references users,
  last_seen_at timestamptz not null default now(),
  pending integer,
  primary key (session_id, device_id)
);

-- Counts that an administrator set by hand; the newest of a SKU counts.
create table count_adjustments (
  id bigint generated always as identity primary key,
  session_id uuid not null references sessions,
  sku text not null,
  previous_count integer not null,
  new_count integer not null,
  reason text,
  user_id uuid not null references users,
  created_at timestamptz not null default now()
);
create index count_adjustments_sku on count_adjustments (session_id, sku, id desc);

-- Work longer than a call. A running row whose lease has run out belongs to a process that is gone.
create table operations (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('start', 'end', 'deploy', 'rollback')),
  status text not null default 'running' check (status in ('running', 'done', 'failed')),
  store_id uuid references stores,
  -- Deferred: a start is recorded as done first thing in the transaction that makes its session.
  session_id uuid references sessions deferrable initially deferred,
  adjustment_id uuid,
  input jsonb not null default '{}',
  done integer not null default 0,
  total integer,
  error_code text,
  error text,
  started_by uuid references users,
  worker uuid,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create unique index operations_one_start on operations (store_id) where status = 'running' and kind in ('start', 'end');
create unique index operations_one_move on operations (session_id) where status = 'running' and kind in ('deploy', 'rollback');

create table adjustments (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references sessions,
  status text not null default 'pending' check (status in ('pending', 'applied', 'partial', 'failed')),
  basis text not null check (basis in ('end', 'count')),
  zero_uncounted boolean not null,
  total_adjustments integer not null,
  note text,
  applied_by uuid references users,
  applied_at timestamptz not null default now(),
  rollback_requested_at timestamptz,
  rollback_requested_by uuid references users,
  rolled_back_at timestamptz
);
create index adjustments_session on adjustments (session_id, applied_at desc);
create unique index adjustments_one_pending on adjustments (session_id) where status = 'pending';

-- What an adjustment is to move, a row a SKU, and how far it has come.
create table adjustment_rows (
  adjustment_id uuid not null references adjustments,
  sku text not null,
  inventory_item_id text not null,
  direction text not null check (direction in ('deploy', 'rollback')),
  -- The chunk it goes with; a row that was refused goes again with the same one, or with a smaller one of its own.
  chunk integer not null,
  delta integer not null check (delta <> 0),
  state text not null default 'waiting'
    check (state in ('waiting', 'sent', 'confirmed', 'unclear', 'not_moved')),
  -- A send of it was lost and only reading said that it did nothing: it might still arrive.
  doubtful boolean not null default false,
  -- Why a row that is not moved can't be moved by any later try either.
  unmovable text check (unmovable in ('UNTRACKED', 'BUNDLE', 'NOT_STOCKED', 'DELETED')),
  note text,
  settled_by uuid references users,
  settled_at timestamptz,
  primary key (adjustment_id, direction, sku)
);
create index adjustment_rows_waiting on adjustment_rows (adjustment_id, direction, chunk) where state = 'waiting';

-- The intent, committed before each call: exact variables and key, so that a resend is the same bytes.
create table adjustment_chunks (
  id uuid primary key default gen_random_uuid(),
  adjustment_id uuid not null references adjustments,
  direction text not null check (direction in ('deploy', 'rollback')),
  chunk integer not null,
  attempt integer not null,
  idempotency_key uuid not null unique,
  reference_uri text not null,
  -- [{sku, inventoryItemId, delta, changeFromQuantity, …}]: what is sent, and what else the fresh read showed.
  changes jsonb not null,
  -- sent: its answer is not known. intended: nothing is under way.
  state text not null default 'intended'
    check (state in ('intended', 'sent', 'confirmed', 'refused', 'replaced', 'unclear')),
  sends integer not null default 0,
  -- True once a send's answer was lost: from then on only reading decides.
  answer_lost boolean not null default false,
  -- The SKUs seen to stand still since, right after the last lost answer: what moves them later was not that send.
  stood_still jsonb not null default '[]',
  group_id text,
  error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  finished_at timestamptz,
  unique (adjustment_id, direction, chunk, attempt)
);
create unique index adjustment_chunks_one_open on adjustment_chunks (adjustment_id) where state in ('intended', 'sent');

-- Append-only: what is known to have moved in Shopify. A session's sum per item is the variance after deploy, 0 after rollback.
create table stock_ledger (
  id bigint generated always as identity primary key,
  session_id uuid not null references sessions,
  adjustment_id uuid not null references adjustments,
  chunk_id uuid references adjustment_chunks,
  direction text not null check (direction in ('deploy', 'rollback')),
  sku text not null,
  inventory_item_id text not null,
  delta integer not null,
  created_at timestamptz not null default now(),
  -- Whatever goes wrong above, one row of an adjustment is booked once a direction.
  unique (adjustment_id, direction, sku)
);
create index stock_ledger_item on stock_ledger (session_id, inventory_item_id);

-- On hand as read while a session runs, for the variance at the time of counting. A change leaves two rows: what it
-- had still been at the reading before, and what it was at the reading that found it.
create table stock_readings (
  session_id uuid not null references sessions,
  sku text not null,
  read_at timestamptz not null,
  on_hand integer not null,
  primary key (session_id, sku, read_at)
);
