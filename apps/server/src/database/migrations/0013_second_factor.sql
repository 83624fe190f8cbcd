-- A second factor for the administrator, where one is wanted: an authenticator app (RFC 6238), passkeys, and recovery codes.
alter table users
  -- The first password was made up by the server and printed; a notice asks to change it.
  add column password_is_generated boolean not null default false,
  -- Whether a deploy or rollback asks for a proof; null: where there is a second factor.
  add column proof_before_moves boolean;

-- When the login's holder last gave the password or a second factor; of older logins it is not known.
alter table logins add column proved_at timestamptz;

create table authenticator_apps (
  user_id uuid primary key references users,
  -- Encrypted with a key that is not in the database (auth/second-factor/seal.ts).
  sealed_secret bytea not null,
  -- Null until a first code has shown that the app has the secret; it guards nothing before.
  confirmed_at timestamptz,
  -- The time step of the last code that was accepted: none is accepted twice, and none of before it.
  last_step bigint not null default 0,
  wrong_codes integer not null default 0,
  wrong_since timestamptz,
  created_at timestamptz not null default now()
);

-- SHA-256 of each, as for every secret of 80 random bits; a used one is deleted.
create table recovery_codes (
  code_hash bytea primary key,
  user_id uuid not null references users,
  created_at timestamptz not null default now()
);

create table passkeys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users,
  name text not null,
  credential_id text not null unique,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);

-- A login whose password was right and which waits for its second factor.
create table sign_in_challenges (
  token_hash bytea primary key,
  user_id uuid not null references users,
  wrong_answers integer not null default 0,
  expires_at timestamptz not null
);

-- What a passkey has to sign, each once.
create table passkey_challenges (
  challenge text primary key,
  user_id uuid not null references users,
  purpose text not null check (purpose in ('sign_in', 'proof', 'creation')),
  expires_at timestamptz not null
);
