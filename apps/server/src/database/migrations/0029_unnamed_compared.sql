-- Codes of second counts that fit no product are counted with those that wait for an administrator, at each one that comes.
create index scans_unnamed_compared on scans (session_id) where status = 'compared' and sku is null;
