-- A statement sees rows as they were when it began, but for those that it waits for and locks. A scan is stored by one statement,
-- which may have waited for its area while the session ended: what the session is then has to be read anew. A volatile function
-- sees what was committed until it is called, and it is called once its second argument is known: how many areas are locked.
create function session_under_locks(wanted uuid, locked_areas bigint)
returns table (id uuid, store_id uuid, status text, catalogue_version bigint, start_snapshot_at timestamptz)
language plpgsql volatile rows 1 as $$
begin
  return query
    select session.id, session.store_id, session.status, session.catalogue_version, session.start_snapshot_at
    from sessions session where session.id = wanted;
end $$;

-- A running total is written again and again. With room on its page for the new one no index has to be written as well.
alter table scan_totals set (fillfactor = 70);
