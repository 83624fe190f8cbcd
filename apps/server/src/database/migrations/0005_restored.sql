-- Which life of the installation this is: a restore begins a new one, so that a device can tell that the server may
-- have forgotten what it had acknowledged.
alter table installation
  add column epoch text not null default gen_random_uuid()::text,
  -- Of the last restore: when it was, and when its backup had been made.
  add column restored_at timestamptz,
  add column backup_made_at timestamptz;

-- A session that came out of a backup: what was deployed or rolled back since is not known here, so nothing of it moves
-- stock until an administrator releases it.
alter table sessions
  add column restored boolean not null default false,
  -- From when on its deploys and rollbacks are not known; of several restores without a release the earliest backup.
  add column backup_made_at timestamptz,
  add constraint sessions_restored_from check (not restored or backup_made_at is not null);
