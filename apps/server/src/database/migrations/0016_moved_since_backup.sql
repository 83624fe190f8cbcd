-- What moved between a backup and the restore from it may have been moved by a deploy that the restored server does not
-- know: the figures of such items are uncertain.
alter table uncertain_figures
  drop constraint uncertain_figures_reason_check,
  add constraint uncertain_figures_reason_check
    check (reason in ('MOVED_DURING_END', 'COUNTED_AFTER_END', 'MOVED_SINCE_BACKUP')),
  -- It holds of what was counted before this alone; null where it holds whenever that was, and of a count by hand too.
  add column counted_before timestamptz;
