-- A code by which people ask to count in a session, and who has asked. The token is kept as it is, as the page shows its QR code
-- again and again: by itself it only lets somebody ask. `admit_until`: until then everybody who asks is admitted.
create table session_codes (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references sessions,
  store_id uuid not null references stores,
  token text not null unique,
  admit_until timestamptz,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create unique index session_codes_open on session_codes (session_id) where revoked_at is null;

-- `key_hash` is of what the asking phone alone knows. Who is admitted has an invitation, opened by that same key.
create table join_requests (
  id uuid primary key default gen_random_uuid(),
  code_id uuid not null references session_codes,
  counter_name text not null,
  key_hash bytea not null unique,
  address text not null,
  asked_at timestamptz not null default now(),
  declined_at timestamptz,
  invitation_id uuid references invitations,
  check (declined_at is null or invitation_id is null)
);
create index join_requests_code on join_requests (code_id, asked_at);
create index join_requests_invitation on join_requests (invitation_id) where invitation_id is not null;
