-- What the administrator is told of the safety of the accounts: on the dashboard (guessing), and by mail where a mail server and
-- an address are set. A row is the intent of its mail, written with what it is about; `next_mail_at` is null once it has been
-- sent or given up.
create table notices (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('guessing', 'new_browser', 'password_changed', 'counter_created')),
  facts jsonb not null,
  began_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  dismissed_at timestamptz,
  mail_attempts integer not null default 0,
  next_mail_at timestamptz default now(),
  mailed_at timestamptz
);
create index notices_mail on notices (next_mail_at) where next_mail_at is not null;
create index notices_guessing on notices (last_at) where kind = 'guessing';
