-- What rows of files of counts and of count sheets are known by: until now the key of browsers' marks, and this for good, or a file
-- that is loaded again would count twice.
alter table installation add column row_key bytea not null
  default decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex');
update installation set row_key = mark_key;

-- No backup holds the key of marks any more, but earlier ones do: whoever has one could sign marks of its own.
update installation set mark_key = default;
