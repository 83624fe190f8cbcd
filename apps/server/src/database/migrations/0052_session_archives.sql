-- Sessions whose rows are in a file: where they are, and by what the file is known. The session's own row stays, so that the lists and
-- the audit log still name it.
create table session_archives (
  session_id uuid primary key references sessions,
  archived_at timestamptz not null default now(),
  file_name text not null,
  -- SHA-256 of the file's manifest, which holds those of all its parts.
  manifest_hash text not null check (manifest_hash ~ '^[0-9a-f]{64}$'),
  -- Units that count, and the SKUs that have a count.
  units bigint not null,
  skus integer not null
);

-- What other sessions' figures read of one that is in a file: every SKU that it counted, or had in scope.
create table archived_counts (
  session_id uuid not null references session_archives on delete cascade,
  sku text not null,
  inventory_item_id text not null,
  -- Null where it was in scope and nobody counted it.
  counted bigint,
  by_hand boolean not null,
  end_on_hand integer,
  primary key (session_id, sku)
);
create index archived_counts_item on archived_counts (inventory_item_id, session_id);
