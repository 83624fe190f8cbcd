-- Why a second count was asked for. A third count that began by itself has nobody who asked.
alter table second_counts
  add column origin text not null default 'administrator'
    check (origin in ('administrator', 'sample', 'difference')),
  -- The number of the control sample that it belongs to.
  add column sample integer check ((sample is not null) = (origin = 'sample'));
update second_counts set origin = 'difference' where asked_by is null;

-- The seeds of a session's samples are the links of a chain of hashes. Its last link, `hash`, is in the audit log before anything
-- is drawn; each draw reveals the link before the last that is known. A session has more than one where the first one's secret is
-- gone (a backup does not hold it) or used up.
create table sample_commitments (
  session_id uuid not null references sessions,
  number integer not null,
  hash text not null,
  committed_at timestamptz not null default now(),
  -- How many areas were closed by then.
  closed_areas integer not null,
  primary key (session_id, number)
);

-- What the chain begins with. Left out of every backup: whoever restores one can't foresee a draw, nor repeat it.
create table sample_secrets (
  session_id uuid not null,
  commitment integer not null,
  secret bytea not null,
  primary key (session_id, commitment),
  foreign key (session_id, commitment) references sample_commitments
);

create table control_samples (
  session_id uuid not null references sessions,
  number integer not null,
  commitment integer not null,
  seed text not null,
  drawn_by uuid references users,
  drawn_at timestamptz not null default now(),
  -- The session's areas that could not be drawn: not closed, or of a second count that was open or made.
  not_closed integer not null,
  counted_twice integer not null,
  -- Why it was drawn after another one.
  reason text,
  voided_by uuid references users,
  voided_at timestamptz,
  void_reason text,
  primary key (session_id, number),
  foreign key (session_id, commitment) references sample_commitments
);

-- The closed areas that a sample was drawn from, as they were then.
create table sample_areas (
  session_id uuid not null,
  number integer not null,
  area_id uuid not null references areas,
  pass integer not null,
  units bigint not null,
  -- From when on stock that moves makes the count and its control count differ.
  counted_from timestamptz not null,
  drawn boolean not null,
  primary key (session_id, number, area_id),
  foreign key (session_id, number) references control_samples
);
