-- A deploy or a rollback that Shopify asks to wait says until when, and since when it has not gone forward; an administrator may
-- ask that it stops. Operations of the release before neither wait nor were cancelled.
alter table operations
  add column wait_reason text check (wait_reason in ('throttled', 'unavailable')),
  add column wait_until timestamptz,
  add column wait_since timestamptz,
  add column cancel_requested_at timestamptz,
  add column cancel_requested_by uuid references users (id),
  add check ((wait_reason is null) = (wait_until is null) and (wait_reason is null) = (wait_since is null));
