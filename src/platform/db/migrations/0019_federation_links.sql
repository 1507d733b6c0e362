-- Between two Turnouts the state and times of people abroad come home.
alter table federated_guest add column speaks_turnout boolean not null default false;
alter table federated_host add column speaks_turnout boolean not null default false;

-- When a host is asked again: soon as long as it answers, later and later while it does not.
alter table federated_host add column next_attempt_at timestamptz not null default now();
create index federated_host_due_idx on federated_host (next_attempt_at) where not paused;

create index visitor_session_expires_at_idx on visitor_session (expires_at);
