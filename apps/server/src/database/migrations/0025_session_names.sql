-- What people call a count, and what the administrator notes about it; null where they gave it none.
alter table sessions add column name text;
alter table sessions add column note text;
