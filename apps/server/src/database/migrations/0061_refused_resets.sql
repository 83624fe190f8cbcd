-- The pass that a device has gone on in after a reset that was refused because the area is others': never the area's own, so that what it
-- scanned there counts beside nobody's.
alter table areas add column refused_pass integer;
