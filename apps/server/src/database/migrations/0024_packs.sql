-- Codes on packs of one product. `code_key`: two codes are the same when their keys are, as barcodes are compared.
create table packs (
  code_key text primary key,
  code text not null,
  sku text not null,
  units integer not null check (units between 1 and 9999),
  changed_at timestamptz not null default now(),
  changed_by text not null
);
-- Raised with every change of them, so that devices fetch them anew.
alter table installation add column packs_version bigint not null default 0;
-- The units of one pack, where a scan was of one: its quantity is that many times what the device sent.
alter table scans add column pack_units integer check (pack_units between 1 and 9999);
