-- What a person says to have counted alone in a pass that others counted in too. With it how much the person had counted by
-- then: who scans or undoes on has to say it again.
create table own_totals (
  session_id uuid not null,
  area_id uuid not null,
  pass integer not null,
  person uuid not null references users,
  total integer not null check (total >= 0),
  scans bigint not null,
  counted bigint not null,
  device_id text not null,
  declared_at timestamptz not null default now(),
  primary key (session_id, area_id, pass, person),
  foreign key (session_id, area_id, pass) references area_passes (session_id, area_id, pass)
);
