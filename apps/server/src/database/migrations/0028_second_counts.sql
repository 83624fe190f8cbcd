-- A second count of a closed area, and a third by somebody else again where the two differ. The area itself stays closed, in the
-- pass that counts (`of_pass`): a second count has passes of its own, numbered among the area's, whose scans are in no total.
-- A row is one attempt: a reset or a total that does not match ends it and begins the next of the same round.
create table second_counts (
  session_id uuid not null references sessions,
  area_id uuid not null references areas,
  pass integer not null,
  of_pass integer not null,
  round integer not null check (round in (2, 3)),
  status text not null default 'not_started' check (status in ('not_started', 'in_progress', 'closed')),
  -- Null where the server asked by itself, because two counts differ.
  asked_by uuid references users,
  asked_at timestamptz not null default now(),
  declared_total integer,
  server_total integer,
  finished_by_device text,
  ended_as text check (ended_as in ('closed', 'reset', 'mismatched', 'cancelled', 'area_reopened', 'session_ended')),
  ended_at timestamptz,
  ended_by uuid references users,
  primary key (session_id, area_id, pass)
);
create unique index second_counts_open on second_counts (area_id) where ended_as is null;
create index second_counts_area on second_counts (area_id, pass);

-- Who counts a second time declares their own totals too, in a pass that is none of the area's own.
alter table own_totals drop constraint own_totals_session_id_area_id_pass_fkey;

-- What the counts of an area came to for each SKU, once the second count is closed. `settled_as` is null until two of them agree
-- or an administrator has chosen one.
create table compared_counts (
  session_id uuid not null references sessions,
  area_id uuid not null references areas,
  of_pass integer not null,
  sku text not null,
  first bigint not null,
  second bigint not null,
  third bigint,
  settled_as text check (settled_as in ('equal', 'first', 'second', 'third')),
  -- Null where two counts agreed.
  settled_by uuid references users,
  settled_at timestamptz,
  reason text,
  primary key (session_id, area_id, of_pass, sku)
);
create index compared_counts_sku on compared_counts (session_id, sku);

-- A scan of a second count is `compared`: it counts in no total. Where it is what the count is settled as it becomes counted, in
-- the pass that counts, and the scans that it takes the place of are voided as SUPERSEDED.
alter table scans drop constraint scans_status_check,
  add constraint scans_status_check check (status in ('counted', 'unresolved', 'late', 'voided', 'compared'));

-- Whether a person has taken part in what a count is compared with: the pass that counts, or an earlier round. The same person is
-- the same account, an invitation with the same e-mail, or the same name where one of the two came by a session code.
-- An administrator sees the figures and so never counts blind.
create function has_taken_part(person uuid, of_session uuid, of_area uuid, counted_pass integer, before_round integer)
returns boolean language sql stable as $$
  with earlier as (
    select pass, ended_by from area_passes
    where session_id = of_session and area_id = of_area and pass = counted_pass
    union all
    select pass, ended_by from second_counts
    where session_id = of_session and area_id = of_area and of_pass = counted_pass and round < before_round),
  taken_part as (
    select ended_by as id from earlier where ended_by is not null
    union
    select scanned_by from scans
    where area_id = of_area and session_id = of_session and pass in (select pass from earlier)),
  known as (
    select account.id, account.role, lower(account.username) as name, lower(nullif(invitation.email, '')) as email,
      coalesce(invitation.email = '', false) as by_code
    from users account left join invitations invitation on invitation.id = account.invitation_id
    where account.id = person or account.id in (select id from taken_part))
  select me.role = 'admin' or exists (
    select from taken_part join known other using (id)
    where other.id = me.id or other.email = me.email or (other.by_code or me.by_code) and other.name = me.name)
  from known me where me.id = person
$$;

-- What is left in a second count's pass is its work, as elsewhere; a compared scan without a product counts for nothing.
create or replace function add_device_work() returns trigger language plpgsql as $$
begin
  insert into device_work as work
  select session_id, area_id, pass, device_id, scanned_by, count(*), count(*) filter (where counts),
    coalesce(sum(quantity) filter (where counts), 0),
    coalesce(sum(quantity) filter (where counts and resolved_by is not null), 0), max(scanned_at)
  from (select *, status = 'counted' or status = 'compared' and sku is not null as counts
    from added where status in ('counted', 'unresolved', 'compared')) left_in_pass
  group by session_id, area_id, pass, device_id, scanned_by
  order by session_id, area_id, pass, device_id, scanned_by
  on conflict (session_id, area_id, pass, device_id, scanned_by) do update
  set scans = work.scans + excluded.scans, counted_scans = work.counted_scans + excluded.counted_scans,
    counted = work.counted + excluded.counted, accepted = work.accepted + excluded.accepted,
    last_scan_at = greatest(work.last_scan_at, excluded.last_scan_at);
  return null;
end $$;

create or replace function take_device_work() returns trigger language plpgsql as $$
begin
  update device_work work
  set scans = work.scans - gone.scans, counted_scans = work.counted_scans - gone.counted_scans,
    counted = work.counted - gone.counted, accepted = work.accepted - gone.accepted
  from (
    select session_id, area_id, pass, device_id, scanned_by, count(*) as scans,
      count(*) filter (where counts) as counted_scans,
      coalesce(sum(quantity) filter (where counts), 0) as counted,
      coalesce(sum(quantity) filter (where counts and resolved_by is not null), 0) as accepted
    from (select *, status = 'counted' or status = 'compared' and sku is not null as counts
      from removed where status in ('counted', 'unresolved', 'compared')) left_in_pass
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
      and scan.status in ('counted', 'unresolved', 'compared'))
  from (
    select session_id, area_id, pass, device_id, scanned_by, max(scanned_at) as last_scan_at
    from removed where status in ('counted', 'unresolved', 'compared')
    group by session_id, area_id, pass, device_id, scanned_by) gone
  where (work.session_id, work.area_id, work.pass, work.device_id, work.scanned_by)
    = (gone.session_id, gone.area_id, gone.pass, gone.device_id, gone.scanned_by)
    and work.last_scan_at <= gone.last_scan_at;
  return null;
end $$;
