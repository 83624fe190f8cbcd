-- What a report is asked with where a replica reads it: the replica's moment is late enough once it holds the mark. A mark is of no use
-- after that second.
create table replica_marks (
  mark uuid primary key,
  written_at timestamptz not null default clock_timestamp()
);
