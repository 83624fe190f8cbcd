-- The brand and the type of a session's products, by which what nobody counted is gathered. Only sessions need them: devices don't.
alter table session_items
  add column vendor text not null default '',
  add column product_type text not null default '';

-- A list of SKUs that nobody has counted, for somebody to look for.
create table search_lists (
  session_id uuid not null references sessions,
  number integer not null,
  -- Where to look; null for anywhere.
  area_id uuid references areas,
  -- Who is to look: an invitation, joined or not, or an account of its own. Neither: anybody of the session.
  invitation_id uuid references invitations,
  user_id uuid references users,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  withdrawn_by uuid references users,
  withdrawn_at timestamptz,
  primary key (session_id, number),
  check (num_nonnulls(invitation_id, user_id) <= 1)
);

create table search_items (
  session_id uuid not null,
  number integer not null,
  sku text not null,
  -- In the order in which somebody walks along them.
  place integer not null,
  primary key (session_id, number, sku),
  foreign key (session_id, number) references search_lists
);
create index search_items_sku on search_items (session_id, sku);

-- What somebody has said last about a SKU, whichever list it was on. A count is not made of it: that takes scans.
create table search_answers (
  session_id uuid not null,
  sku text not null,
  answered_by uuid not null references users,
  answer text not null check (answer in ('found', 'not_there')),
  -- The list on which it was said.
  number integer not null,
  device_id text not null,
  answered_at timestamptz not null default now(),
  primary key (session_id, sku, answered_by),
  foreign key (session_id, number) references search_lists
);

-- Which answer an administrator takes for right, until somebody says otherwise.
create table search_decisions (
  session_id uuid not null references sessions,
  sku text not null,
  answer text not null check (answer in ('found', 'not_there')),
  decided_by uuid not null references users,
  decided_at timestamptz not null default now(),
  primary key (session_id, sku)
);
