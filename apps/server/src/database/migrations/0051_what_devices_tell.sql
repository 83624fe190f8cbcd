-- Which report of a device its number of pending rows is of, by the device's own numbering: an earlier one may arrive later.
alter table session_devices add column pending_order bigint;

-- The same of what somebody has said on a device of a search.
alter table search_answers add column answer_order bigint;

-- Devices that have opened an area while their session ran. Those of them that never sent anything are in no other table. `tells_queue`: the
-- number of pending rows that the device's app tells is of all of them; that of earlier releases is of scans alone.
create table opened_devices (
  session_id uuid not null references sessions,
  device_id text not null,
  user_id uuid not null references users,
  tells_queue boolean not null,
  opened_at timestamptz not null default now(),
  primary key (session_id, device_id)
);
