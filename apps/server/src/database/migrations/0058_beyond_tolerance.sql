-- Why a session does without another count of a SKU that is beyond its tolerance. `counted`: what was counted of it by then, which another
-- figure since contradicts.
create table tolerance_statements (
  session_id uuid not null references sessions,
  sku text not null,
  reason text not null,
  counted bigint not null,
  stated_by uuid not null references users,
  stated_at timestamptz not null default clock_timestamp(),
  primary key (session_id, sku)
);
