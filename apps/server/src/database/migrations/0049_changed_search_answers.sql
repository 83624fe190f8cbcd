-- How often somebody has said something else of a SKU, or looked once more, since an hour passed without: each is an entry of the audit
-- log, which nobody can shorten.
alter table search_answers add column given integer not null default 1;
