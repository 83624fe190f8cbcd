-- The last booking of the ledger when a session began and when it ended; 0 where there was none, null of sessions of before. What is no later was
-- moved before that, whatever the clock said when it was booked.
alter table sessions
  add column ledger_at_start bigint,
  add column ledger_at_end bigint;
