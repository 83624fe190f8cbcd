-- When a pass that was closed had been counted, by the device that declared its total: long before it ended here, where the device had
-- no network. Null where that is not known apart from the end.
alter table area_passes add column declared_at timestamptz;
