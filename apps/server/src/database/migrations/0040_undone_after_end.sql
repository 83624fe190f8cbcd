-- A scan that its counter took back, where the undo came only after the session's end: the scan counts, and is in doubt.
alter table uncertain_figures
  drop constraint uncertain_figures_reason_check,
  add constraint uncertain_figures_reason_check
    check (reason in ('MOVED_DURING_END', 'COUNTED_AFTER_END', 'MOVED_SINCE_BACKUP', 'UNDONE_AFTER_END'));
