-- A unit cost in hundredths passes an integer at 21,474,836.47, which is some US$ 900 in dong. A change of stock passes it
-- where a count meets a stock that is far below zero.
--
-- Each of these tables is written anew, under a lock that readers wait for too. catalogue_items is one shop; the rows and
-- the ledger of adjustments are few. session_items has a row for each SKU of each session: ten to thirty seconds a million
-- of them (9 s measured without waiting for the disk), and for as long as much room again on the disk. Where a node of the
-- release before still runs meanwhile, scans go on, as they are matched in memory; reports and the start and end of
-- sessions wait, and after 30 seconds are refused and can be asked for again. Adding a column beside the old one would
-- take no time, but then every reader for ever has two columns for one cost.
alter table catalogue_items alter column unit_cost_cents type bigint;
alter table session_items alter column unit_cost_cents type bigint;
alter table adjustment_rows alter column delta type bigint;
alter table stock_ledger alter column delta type bigint;
