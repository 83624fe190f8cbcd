-- Signing in once more than a person has logins ends the oldest of theirs. It is kept, so that its holder is told why it is over.
alter table logins add column replaced_at timestamptz;

create trigger logins_replaced after update of replaced_at on logins for each row
  when (old.replaced_at is null and new.replaced_at is not null) execute function tell_ended_login();
