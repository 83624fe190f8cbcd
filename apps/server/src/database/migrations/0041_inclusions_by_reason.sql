-- A figure can be in doubt for several reasons, of which some are found after others were decided on.
alter table included_figures drop constraint included_figures_pkey, add primary key (session_id, sku, reason);
