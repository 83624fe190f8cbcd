-- Shopify said of a chunk's key that another send with it is under way: it may be applied after everything else.
alter table adjustment_chunks add column under_way boolean not null default false;
