-- The audit log. Entries form chains, one a session and one, `general`, for what concerns no session: each carries the
-- hash of the one before it, so that a change of an entry shows in all that follow.

create table audit_entries (
  id bigint generated always as identity primary key,
  -- A session's id, or `general`.
  chain text not null,
  -- From 1, without a gap.
  position integer not null check (position >= 1),
  -- Whole milliseconds: what is hashed is what is stored.
  at timestamptz not null check (at = date_trunc('milliseconds', at)),
  actor_kind text not null check (actor_kind in ('admin', 'counter', 'system')),
  -- No reference: an entry says who it was, whatever becomes of the account, and waits for no lock of its row.
  actor_id uuid,
  actor_name text not null,
  action text not null,
  subject_kind text not null,
  subject_id text,
  subject_name text not null,
  before jsonb,
  after jsonb,
  -- The hash of the entry before; null for the first.
  previous_hash text,
  hash text not null,
  unique (chain, position)
);
create index audit_entries_chain on audit_entries (chain, id);

-- How long each chain is and the hash that it ends with, so that an end cut off shows. Appending takes its row.
create table audit_chains (
  chain text primary key,
  length integer not null default 0,
  last_hash text
);
insert into audit_chains (chain) values ('general');
-- Sessions from before the audit log: what was done to them so far is not recorded.
insert into audit_chains (chain) select id::text from sessions;

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'The audit log is only ever added to.';
end
$$;
create trigger audit_entries_stay before update or delete on audit_entries
  for each statement execute function refuse_audit_change();

-- Restoring a backup truncates every table first; of an empty one that takes nothing away.
create function refuse_audit_truncation() returns trigger language plpgsql as $$
begin
  if exists (select from audit_entries) then
    raise exception 'The audit log is only ever added to.';
  end if;
  return null;
end
$$;
create trigger audit_entries_stay_whole before truncate on audit_entries
  for each statement execute function refuse_audit_truncation();
