-- A session of some SKUs of one that has ended: only these are in its report.
alter table sessions
  add column follow_up_of uuid references sessions,
  add column only_skus text[] check (cardinality(only_skus) > 0),
  add check ((follow_up_of is null) = (only_skus is null));
