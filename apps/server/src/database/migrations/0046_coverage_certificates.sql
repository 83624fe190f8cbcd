-- What administrators say of areas: that one which was closed with nothing in it is empty, that one is not counted on purpose, or that
-- it does without a second count which the session's end cut off. Of the area's pass at that time; whether it holds is worked out.
create table area_statements (
  session_id uuid not null references sessions,
  area_id uuid not null references areas,
  stated_as text not null check (stated_as in ('empty', 'void', 'without_second_count')),
  pass integer not null,
  reason text,
  stated_by uuid not null references users,
  stated_at timestamptz not null default clock_timestamp(),
  primary key (session_id, area_id, stated_as),
  check (stated_as = 'empty' or reason is not null)
);

-- SKUs that were left alone on purpose: nobody has counted or searched for them, and their stock stays as it is.
create table left_alone_items (
  session_id uuid not null references sessions,
  sku text not null,
  reason text not null,
  left_by uuid not null references users,
  left_at timestamptz not null default clock_timestamp(),
  primary key (session_id, sku)
);

-- The versions of a session's coverage certificate; none is ever changed.
create table coverage_certificates (
  session_id uuid not null references sessions,
  version integer not null check (version > 0),
  -- What the hash is of.
  body text not null,
  hash text not null,
  -- Of what it says of the session, without what can change by itself: another one makes the next version.
  fingerprint text not null,
  -- A line a SKU with what became of it, in order; the body has its hash.
  items text not null,
  issued_by uuid references users,
  issued_at timestamptz not null default clock_timestamp(),
  primary key (session_id, version)
);
