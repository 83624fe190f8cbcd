-- Running totals pass an integer (0010), so what is compared with them and kept of them does too. Few rows each, but for the manual
-- counts of large sessions: some hundred thousand, written anew in a second.
alter table count_adjustments alter column previous_count type bigint, alter column new_count type bigint;
alter table included_figures alter column counted type bigint;
alter table second_counts alter column declared_total type bigint, alter column server_total type bigint;
alter table count_sheets alter column keyed_units type bigint;
