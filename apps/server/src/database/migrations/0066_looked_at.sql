-- When whoever answered had looked, by how long ago their device says that it was; null where it does not, and the answer is as old as its
-- arrival. An answer that waited for a connection says nothing of what came in meanwhile.
alter table search_answers add column looked_at timestamptz;
