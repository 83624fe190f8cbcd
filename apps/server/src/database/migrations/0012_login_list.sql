-- People see their own logins and end them one by one: each has a name of its own, which opens nothing, the browser that
-- holds it, and when it was last used. Of logins made before this, the browser is not known, nor their last use.
alter table logins
  add column id uuid not null default gen_random_uuid(),
  add column browser text,
  add column last_seen_at timestamptz;
create unique index logins_id on logins (id);
