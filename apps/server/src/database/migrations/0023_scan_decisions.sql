-- What a scan was when an administrator accepted or dismissed it, so that the decision can be taken back; a row as long as
-- it is decided on. Who decided and when is in the scan. What was decided before has no row and can't be taken back.
create table scan_decisions (
  scan_id bigint primary key references scans,
  -- In the order of the decisions.
  number bigint generated always as identity,
  session_id uuid not null references sessions,
  decision text not null check (decision in ('accepted', 'dismissed')),
  status text not null check (status in ('unresolved', 'late')),
  reason text,
  sku text,
  area_id uuid not null,
  location_id uuid not null,
  pass integer not null,
  -- Why it was dismissed.
  note text
);
create index scan_decisions_session on scan_decisions (session_id, number);
