-- A voided scan says who took it out of the count and when the server heard of it, as a settled one does.
alter table scans add column voided_by uuid, add column voided_at timestamptz;

-- What is known of those from before: the pass that they were voided with, the administrator's decision, the undo.
update scans set voided_by = pass.ended_by, voided_at = pass.ended_at
from area_passes pass
where scans.status = 'voided'
  and scans.reason in ('AREA_RESET', 'AREA_REOPENED', 'COUNT_MISMATCHED', 'PASS_REPLACED')
  and pass.session_id = scans.session_id and pass.area_id = scans.area_id and pass.pass = scans.pass;

update scans set voided_by = resolved_by, voided_at = resolved_at
where status = 'voided' and reason = 'DISMISSED';

update scans set voided_by = operation.user_id, voided_at = operation.created_at
from (
  -- A scan may have been undone under several operation ids: the first one did it.
  select distinct on (session_id, device_id, seq) * from (
    select session_id, request ->> 'deviceId' as device_id, (answer -> 'undone' ->> 'seq')::bigint as seq,
      user_id, created_at
    from device_operations where kind = 'undo') undo
  order by session_id, device_id, seq, created_at) operation
where scans.status = 'voided' and scans.reason = 'UNDONE'
  and operation.session_id = scans.session_id and operation.device_id = scans.device_id and operation.seq = scans.seq;
