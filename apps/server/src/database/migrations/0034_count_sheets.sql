-- Numbered blind count sheets: what was printed, and what became of each. A number is never given twice, so no row is ever deleted.
create table count_sheets (
  session_id uuid not null references sessions,
  number integer not null check (number > 0),
  area_id uuid not null references areas,
  -- The area's pass when it was printed.
  pass integer not null,
  listed_by text not null check (listed_by in ('walk', 'title')),
  -- The lines with a product, as they are printed: sku, productTitle, size, code.
  lines jsonb not null,
  products integer not null,
  blank_lines integer not null,
  printed_by uuid not null references users,
  printed_at timestamptz not null default now(),
  returned_by uuid references users,
  returned_at timestamptz,
  counted_by uuid references users,
  counted_at timestamptz,
  -- What was keyed (lines and others), and the pass that it counts in. Written before its scans are stored, which are made of it alone.
  entries jsonb,
  counted_pass integer,
  keyed_rows integer,
  keyed_units integer,
  declared_total integer,
  -- When all of it was stored; null while that broke off.
  stored_at timestamptz,
  voided_by uuid references users,
  voided_at timestamptz,
  void_reason text,
  primary key (session_id, number),
  check (returned_at is null or voided_at is null),
  check ((returned_at is null) = (entries is null)),
  check (stored_at is null or returned_at is not null)
);
