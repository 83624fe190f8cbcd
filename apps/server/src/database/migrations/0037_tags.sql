-- Items with an RFID tag. `tag` names the item, by its GTIN and its serial number; null for a scan of anything else.
alter table scans add column tag text;

-- An item counts once in a session, and once in a second count, whoever stores it at the same moment.
create unique index scans_counted_tag on scans (session_id, tag) where tag is not null and status = 'counted';
create unique index scans_compared_tag on scans (session_id, area_id, pass, tag)
  where tag is not null and status = 'compared';
create index scans_tag on scans (session_id, tag) where tag is not null;

-- A row to lock for each tag that was read in a session: whoever decides what a read of it becomes, or lets one count again, holds
-- it. No reference to the session, as a scan has none: it would lock the session's row after the areas'.
create table tags (
  session_id uuid not null,
  tag text not null,
  primary key (session_id, tag)
);
