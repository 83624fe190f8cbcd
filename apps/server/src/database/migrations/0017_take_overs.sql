-- How often another process has taken the operation up after the one that worked on it had stopped.
alter table operations add column take_overs integer not null default 0;
