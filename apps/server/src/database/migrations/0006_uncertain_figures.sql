-- A figure of the report is certain, or it says why not.

-- Shopify's own time from which the next search for changed levels asks; null until it was read.
alter table sessions add column stock_watermark timestamptz;
-- When the end reading began: what was counted from then on may have been counted after its stock was read.
alter table sessions add column end_read_from timestamptz;

-- When Shopify had last changed the level, by its own clock, as the two snapshots found it: the same time again means
-- that nothing has happened to it since. Null where it is not stocked.
alter table session_items add column start_level_updated_at timestamptz, add column end_level_updated_at timestamptz,
  -- On hand less what orders hold: it tells an order, which holds stock, from a sale that came back.
  add column start_available integer;

-- touched: between the reading before and this one the level was changed, even where on hand is the same again.
alter table stock_readings add column level_updated_at timestamptz, add column available integer,
  add column touched boolean not null default false;

-- False: the device gave a time before the session's stock was read or after the scan was received. Then it may have been
-- scanned at any time of the session.
alter table scans add column time_known boolean not null default true;
-- How many of its scans have an unknown time; first and last speak of the others alone.
alter table scan_totals add column unknown_times integer not null default 0;

-- Figures that were found to be uncertain when the session ended, or when a late scan was accepted.
create table uncertain_figures (
  session_id uuid not null references sessions,
  sku text not null,
  reason text not null check (reason in ('MOVED_DURING_END', 'COUNTED_AFTER_END')),
  found_at timestamptz not null default now(),
  primary key (session_id, sku, reason)
);

-- Uncertain figures that an administrator has decided to deploy. It holds for the count and the reason that were decided
-- on, and no longer once either is another.
create table included_figures (
  session_id uuid not null references sessions,
  sku text not null,
  reason text not null,
  counted integer not null,
  included_by uuid not null references users,
  included_at timestamptz not null default now(),
  primary key (session_id, sku)
);
