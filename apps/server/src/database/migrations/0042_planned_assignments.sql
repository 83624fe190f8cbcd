-- Areas that a plan assigns to the people whom it invites, in `people` beside each of them. Nobody else may open them where enforced.
alter table session_plans add column assignments_enforced boolean not null default false;
-- They are assigned with the invitation, when its mail has left: nobody whose mail never left keeps an area from the others.
alter table waiting_invitations add column area_ids uuid[] not null default '{}';
