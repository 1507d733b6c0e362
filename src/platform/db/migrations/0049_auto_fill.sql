-- Weights of the ledger by which automatic filling compares people; a missing row has the default.
create table fill_weight (
  name text primary key check (name in ('hours', 'nights', 'weekends', 'refusals')),
  value integer not null check (value between 0 and 100)
);

-- A proposal that a planner applied, so that it can be undone.
create table fill_run (
  id bigint generated always as identity primary key,
  user_id bigint references user_profile (id) on delete set null,
  applied_at timestamptz not null,
  undone_at timestamptz
);
create index fill_run_user_id_idx on fill_run (user_id, applied_at desc);

create table fill_place (
  run_id bigint not null references fill_run (id) on delete cascade,
  participation_id bigint not null references participation (id) on delete cascade,
  -- The journal entry of the change, which tells what was there before.
  entry_id bigint not null,
  primary key (run_id, participation_id)
);
create index fill_place_participation_id_idx on fill_place (participation_id);
