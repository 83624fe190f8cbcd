-- What ×N on a phone takes the place of: `replaces_op_id` and `replaces_seq` as its device names that scan (of any device by the operation,
-- of its own by the number). A scan that was taken out because an administrator accepted such a one is voided as UNDONE, as its counter meant
-- it to be, and `replaced_by` is the id of the accepted one, so that it counts again where that decision is taken back.
alter table scans
  add column replaces_op_id uuid,
  add column replaces_seq bigint,
  add column replaced_by bigint;
