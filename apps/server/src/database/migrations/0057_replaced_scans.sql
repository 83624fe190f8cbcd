-- What ×N on a phone takes the place of, as its device names that scan: of any device by the operation, of its own by the number.
alter table scans
  add column replaces_op_id uuid,
  add column replaces_seq bigint;
