-- One scan may count several units. Devices of the release before send none: each of their scans is one unit. A column with
-- a constant default is added without writing the table anew.
alter table scans add column quantity integer not null default 1 check (quantity between 1 and 9999);
-- A few hundred thousand scans of 9,999 units pass an integer. Running totals are one row for each SKU of an area, and passes a
-- few for each area, so that they are written anew in seconds.
alter table scan_totals alter column quantity type bigint;
alter table area_passes alter column declared_total type bigint, alter column server_total type bigint;
