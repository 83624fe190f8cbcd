-- By its key a device shows that a report of its queue is its own: its id alone is known to others who count. Of no session, as neither the id nor
-- the key is; a device keeps both from one session to the next.
create table device_keys (
  device_id text primary key,
  -- SHA-256 of the key, which is random.
  key_hash bytea not null,
  -- Under whom it was set.
  user_id uuid not null references users on delete cascade,
  set_at timestamptz not null default clock_timestamp()
);
create index device_keys_user on device_keys (user_id);
