-- Barcodes and SKUs that belong to another item at the end of a session than the one that was counted by them: what was scanned as `sku` lies
-- under `to_sku` in Shopify by then.
create table moved_codes (
  session_id uuid not null references sessions,
  sku text not null,
  to_sku text not null,
  primary key (session_id, sku, to_sku)
);
