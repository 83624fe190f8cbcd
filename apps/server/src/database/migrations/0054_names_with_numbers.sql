-- Whoever comes into a session by a name that somebody has there gets a number behind it: "Anna (2)". `asked_name`: the name that they gave;
-- null where they have it. It may be the same person, on another phone by the session code, so these names are compared when it is asked who
-- has taken part in a count.
alter table invitations add column asked_name text;

create or replace function has_taken_part(person uuid, of_session uuid, of_area uuid, counted_pass integer, before_round integer)
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
    select account.id, account.role, lower(coalesce(invitation.asked_name, account.username)) as name,
      lower(nullif(invitation.email, '')) as email,
      coalesce(invitation.email = '', false) as by_code
    from users account left join invitations invitation on invitation.id = account.invitation_id
    where account.id = person or account.id in (select id from taken_part))
  select me.role = 'admin' or exists (
    select from taken_part join known other using (id)
    where other.id = me.id or other.email = me.email or (other.by_code or me.by_code) and other.name = me.name)
  from known me where me.id = person
$$;
