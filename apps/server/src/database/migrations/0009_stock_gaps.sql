-- When Shopify's levels could not be read during a session: what was counted and moved in such a time is uncertain, and the
-- report says from when to when.
create table stock_gaps (
  session_id uuid not null references sessions,
  began_at timestamptz not null,
  ended_at timestamptz not null,
  primary key (session_id, began_at)
);
