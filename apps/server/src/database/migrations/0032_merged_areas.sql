-- An area that was merged into another: it is deleted, and its printed label opens the other.
alter table areas add column merged_into uuid references areas;
create index areas_merged_into on areas (merged_into) where merged_into is not null;
