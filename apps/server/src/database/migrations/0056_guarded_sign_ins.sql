-- Wrong second factors are counted for the alarm as wrong passwords are.
alter table failed_logins drop constraint failed_logins_kind_check,
  add constraint failed_logins_kind_check check (kind in ('admin', 'counter', 'password_change', 'second_factor'));

-- The administrator is told of a right password that no second factor followed: `stranger_address` is where it was given, in a browser in
-- which the account had not signed in; null in one in which it had, of which nothing is told.
alter table sign_in_challenges add column stranger_address text;
alter table notices drop constraint notices_kind_check,
  add constraint notices_kind_check
    check (kind in ('guessing', 'new_browser', 'password_changed', 'counter_created', 'factor_not_shown'));

-- What repeats within an hour is one notice.
create index notices_repeated on notices (kind, last_at) where kind in ('new_browser', 'factor_not_shown');

-- Which password of the account it is: a browser's mark names the one that was given there. Whatever changes a password counts it, a server
-- of an earlier release too.
alter table users
  add column password_generation integer not null default 0,
  -- How often somebody has signed in by the password since the hour began that is counted.
  add column sign_ins integer not null default 0,
  add column sign_ins_since timestamptz not null default now();

create function count_password() returns trigger language plpgsql as $$
begin
  new.password_generation = old.password_generation + 1;
  -- Sign-ins by the password of before are no reason to hold up those by this one.
  new.sign_ins = 0;
  return new;
end $$;
create trigger users_password_changed before update of password_hash on users for each row
  when (old.password_hash is distinct from new.password_hash) execute function count_password();
