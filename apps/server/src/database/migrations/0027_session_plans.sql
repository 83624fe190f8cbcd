-- Sessions prepared beforehand. `area_ids`: those that are counted; null for all there are at the start.
create table session_plans (
  id uuid primary key default gen_random_uuid(),
  store_id uuid not null references stores,
  name text,
  note text,
  scope text not null check (scope in ('full', 'partial')),
  area_ids uuid[],
  people jsonb not null default '[]',
  -- What it was started as; once only.
  session_id uuid unique references sessions,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  check (area_ids is null or scope = 'partial')
);
-- Areas that a session was not to count. One in which somebody scans all the same is part of it.
create table session_left_out_areas (
  session_id uuid not null references sessions,
  area_id uuid not null references areas,
  primary key (session_id, area_id)
);
-- Whom a session that has started is still to invite. `next_attempt_at` null: given up.
create table waiting_invitations (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references sessions,
  store_id uuid not null references stores,
  counter_name text not null,
  email text not null,
  -- Where the link in the mail leads.
  origin text not null,
  invited_by uuid references users,
  attempts integer not null default 0,
  problem text,
  next_attempt_at timestamptz default now(),
  created_at timestamptz not null default now()
);
create index waiting_invitations_session on waiting_invitations (session_id);
create index waiting_invitations_due on waiting_invitations (next_attempt_at) where next_attempt_at is not null;
