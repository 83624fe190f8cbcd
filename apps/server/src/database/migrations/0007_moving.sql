-- No answer of Shopify's says that the row was moved, and its stock does.
alter table adjustment_rows add column by_reading boolean not null default false;

-- An item that is to be stocked at the location before its delta: the stock that Shopify had kept there, and how far it
-- has come. `intended` is committed before the call, with the key that every repetition of it carries.
alter table adjustment_rows
  add column kept_on_hand bigint,
  add column activation text check (activation in ('intended', 'done', 'refused')),
  add column activation_key uuid,
  add column activated_at timestamptz;
