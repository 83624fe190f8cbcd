-- What a device told of its queue as it opened an area, or by itself without ever having sent anything: how many rows it held, which of its
-- reports that was, and when. Null of one that told nothing then, as those of earlier releases do.
alter table opened_devices
  add column pending integer,
  add column pending_order bigint,
  add column told_at timestamptz;

-- Why an administrator holds that a device of whose queue nothing certain is known has nothing left to send.
create table device_statements (
  session_id uuid not null references sessions,
  device_id text not null,
  reason text not null,
  -- Scans of it that were stored by then: one more contradicts what was said.
  scans bigint not null,
  stated_by uuid not null references users,
  stated_at timestamptz not null default clock_timestamp(),
  primary key (session_id, device_id)
);
