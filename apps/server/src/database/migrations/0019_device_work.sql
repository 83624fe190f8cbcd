-- Who scanned how much where: running totals of the scans that are left in a pass (counted or unresolved) for each device and
-- person. Progress, areas and Items Scanned read them instead of every scan. The database keeps them itself, so that a node of the
-- release before, which knows nothing of them, keeps them right during an update.
create table device_work (
  session_id uuid not null,
  area_id uuid not null,
  pass integer not null,
  device_id text not null,
  scanned_by uuid not null,
  -- Scans that are left, those of them that count, and the units of these; `accepted`: the units that an administrator decided on.
  scans integer not null check (scans >= 0),
  counted_scans integer not null check (counted_scans >= 0),
  counted bigint not null check (counted >= 0),
  accepted bigint not null check (accepted >= 0),
  last_scan_at timestamptz not null,
  primary key (session_id, area_id, pass, device_id, scanned_by)
) with (fillfactor = 70);

-- No scan is stored between the reading of those that are there and the first trigger.
lock table scans in share row exclusive mode;
insert into device_work
select session_id, area_id, pass, device_id, scanned_by, count(*), count(*) filter (where status = 'counted'),
  coalesce(sum(quantity) filter (where status = 'counted'), 0),
  coalesce(sum(quantity) filter (where status = 'counted' and resolved_by is not null), 0), max(scanned_at)
from scans where status in ('counted', 'unresolved')
group by session_id, area_id, pass, device_id, scanned_by;

-- In the order of their keys, as transactions that change the same rows have to.
create function add_device_work() returns trigger language plpgsql as $$
begin
  insert into device_work as work
  select session_id, area_id, pass, device_id, scanned_by, count(*), count(*) filter (where status = 'counted'),
    coalesce(sum(quantity) filter (where status = 'counted'), 0),
    coalesce(sum(quantity) filter (where status = 'counted' and resolved_by is not null), 0), max(scanned_at)
  from added where status in ('counted', 'unresolved')
  group by session_id, area_id, pass, device_id, scanned_by
  order by session_id, area_id, pass, device_id, scanned_by
  on conflict (session_id, area_id, pass, device_id, scanned_by) do update
  set scans = work.scans + excluded.scans, counted_scans = work.counted_scans + excluded.counted_scans,
    counted = work.counted + excluded.counted, accepted = work.accepted + excluded.accepted,
    last_scan_at = greatest(work.last_scan_at, excluded.last_scan_at);
  return null;
end $$;
create trigger scans_added after insert on scans referencing new table as added
  for each statement execute function add_device_work();

-- The newest scan that is left is looked for last, once the row is held: what others had added meanwhile is seen then.
create function take_device_work() returns trigger language plpgsql as $$
begin
  update device_work work
  set scans = work.scans - gone.scans, counted_scans = work.counted_scans - gone.counted_scans,
    counted = work.counted - gone.counted, accepted = work.accepted - gone.accepted
  from (
    select session_id, area_id, pass, device_id, scanned_by, count(*) as scans,
      count(*) filter (where status = 'counted') as counted_scans,
      coalesce(sum(quantity) filter (where status = 'counted'), 0) as counted,
      coalesce(sum(quantity) filter (where status = 'counted' and resolved_by is not null), 0) as accepted
    from removed where status in ('counted', 'unresolved')
    group by session_id, area_id, pass, device_id, scanned_by) gone
  where (work.session_id, work.area_id, work.pass, work.device_id, work.scanned_by)
    = (gone.session_id, gone.area_id, gone.pass, gone.device_id, gone.scanned_by);
  delete from device_work work using (
    select distinct session_id, area_id, pass, device_id, scanned_by from removed) gone
  where (work.session_id, work.area_id, work.pass, work.device_id, work.scanned_by)
    = (gone.session_id, gone.area_id, gone.pass, gone.device_id, gone.scanned_by) and work.scans = 0;
  update device_work work
  set last_scan_at = (
    select max(scan.scanned_at) from scans scan
    where (scan.session_id, scan.area_id, scan.pass, scan.device_id, scan.scanned_by)
      = (work.session_id, work.area_id, work.pass, work.device_id, work.scanned_by)
      and scan.status in ('counted', 'unresolved'))
  from (
    select session_id, area_id, pass, device_id, scanned_by, max(scanned_at) as last_scan_at
    from removed where status in ('counted', 'unresolved')
    group by session_id, area_id, pass, device_id, scanned_by) gone
  where (work.session_id, work.area_id, work.pass, work.device_id, work.scanned_by)
    = (gone.session_id, gone.area_id, gone.pass, gone.device_id, gone.scanned_by)
    and work.last_scan_at <= gone.last_scan_at;
  return null;
end $$;
create trigger scans_removed after delete on scans referencing old table as removed
  for each statement execute function take_device_work();

-- An update takes away what the rows were before it adds what they are.
create trigger scans_changed_before after update on scans referencing old table as removed
  for each statement execute function take_device_work();
create trigger scans_changed_to after update on scans referencing new table as added
  for each statement execute function add_device_work();
