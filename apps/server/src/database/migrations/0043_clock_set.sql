-- When the database's clock was found to have been set while a session counted: its times no longer tell what was first.
alter table sessions add column clock_set_at timestamptz;
