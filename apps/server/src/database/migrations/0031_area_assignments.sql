-- Whom an administrator wants to count an area in a session: an invitation, joined or not, or an account of its own.
create table area_assignments (
  session_id uuid not null references sessions,
  area_id uuid not null references areas,
  invitation_id uuid references invitations,
  user_id uuid references users,
  assigned_at timestamptz not null default now(),
  check (num_nonnulls(invitation_id, user_id) = 1)
);
create unique index area_assignments_person on area_assignments (session_id, area_id, coalesce(invitation_id, user_id));
-- Since when nobody else may open an assigned area; null where assignments are suggestions.
alter table sessions add column assignments_enforced_at timestamptz;
