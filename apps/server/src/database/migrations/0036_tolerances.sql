-- From which difference against Shopify on the areas of a SKU are to be counted a second time: of a store, or of one session in the
-- store's place. Over and short apart; null is no limit. Shares are in hundredths of a per cent, money in hundredths.
create table tolerances (
  id uuid primary key default gen_random_uuid(),
  store_id uuid references stores,
  session_id uuid references sessions,
  over_units bigint check (over_units >= 0),
  over_cents bigint check (over_cents >= 0),
  over_stock_share bigint check (over_stock_share >= 0),
  over_money_share bigint check (over_money_share >= 0),
  short_units bigint check (short_units >= 0),
  short_cents bigint check (short_cents >= 0),
  short_stock_share bigint check (short_stock_share >= 0),
  short_money_share bigint check (short_money_share >= 0),
  check (num_nonnulls(store_id, session_id) = 1)
);
create unique index tolerances_store on tolerances (store_id) where store_id is not null;
create unique index tolerances_session on tolerances (session_id) where session_id is not null;

-- A second count may now be asked for by the server, because a SKU of the area is beyond tolerance.
alter table second_counts drop constraint second_counts_origin_check,
  add constraint second_counts_origin_check check (origin in ('administrator', 'sample', 'difference', 'tolerance'));
