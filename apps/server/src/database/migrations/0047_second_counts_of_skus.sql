-- A second count may be of some SKUs of its area alone. Null: of the whole area.
alter table second_counts add column only_skus text[] check (cardinality(only_skus) > 0);
