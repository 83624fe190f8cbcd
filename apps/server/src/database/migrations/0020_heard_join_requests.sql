-- When a phone last asked what became of its request. One that is not heard of any more takes up no room at its code.
alter table join_requests add column heard_at timestamptz not null default now();
