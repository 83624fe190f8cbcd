-- Why an administrator had an area counted again, as the counters are told. Reopenings of the release before gave none.
alter table area_passes add column reason text;
