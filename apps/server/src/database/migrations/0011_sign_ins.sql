-- Wrong passwords are counted for the account that they were meant for: a right one takes back those of its own account alone.
-- Known accounts go by their id, names that are nobody's by a hash. Guesses of a known browser carry its mark and count against
-- that alone. Guesses at an account that is being attacked are checked one after the other: `due_at` is when. Rows of the release
-- before are of no account: they count for their address.
alter table failed_logins
  add column account text not null default '',
  add column mark text,
  add column newcomer boolean not null default false,
  add column due_at timestamptz not null default now();
create index failed_logins_account on failed_logins (kind, account, failed_at) where mark is null;
create index failed_logins_mark on failed_logins (mark, kind, failed_at) where mark is not null;

-- What the marks of known browsers are signed with, on all nodes: 32 bytes, 244 of their bits random.
alter table installation add column mark_key bytea not null
  default decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex');

-- Whatever ends a login, on whatever node or by a command, every node hears of it and ends the login's event streams.
create function tell_ended_login() returns trigger language plpgsql as $$
begin
  perform pg_notify('stocktake_ended_logins', encode(old.token_hash, 'hex'));
  return null;
end $$;
create trigger logins_ended after delete on logins for each row execute function tell_ended_login();

-- The logins of a revoked invitation are kept, so that their holders are told why they are over.
create function tell_revoked_logins() returns trigger language plpgsql as $$
begin
  perform pg_notify('stocktake_ended_logins', encode(login.token_hash, 'hex'))
  from logins login join users person on person.id = login.user_id where person.invitation_id = new.id;
  return null;
end $$;
create trigger invitations_revoked after update of revoked_at on invitations for each row
  when (old.revoked_at is null and new.revoked_at is not null) execute function tell_revoked_logins();

-- A link is in the outbox until it has been passed on: who uses it has it.
delete from outbox_mails mail using invitations invitation, sessions session
where invitation.id = mail.invitation_id and session.id = invitation.session_id
  and (invitation.used_at is not null or invitation.revoked_at is not null or session.status = 'closed');
