-- Extensions that the operator has named, and what is known of them while their code cannot be loaded.

create table extension (
  name text primary key check (name ~ '^[a-z][a-z0-9_]{1,29}$'),
  -- As named by the operator: a folder or a package.
  source text not null,
  version text,
  -- The code runs in the servers that were started last.
  is_loaded boolean not null default false,
  -- Why it does not; null: it does, or nobody names it any more.
  problem text,
  loaded_at timestamptz,
  -- Switched off after repeated failures, and the last of them.
  stopped_at timestamptz,
  stopped_because text,
  -- The version whose code never ended and took the server with it. It is not loaded again.
  stuck_version text,
  -- Columns of its tables that refer to people, so that a person can be erased without its code.
  personal_data jsonb not null default '[]' check (jsonb_typeof(personal_data) = 'array')
);

create table extension_migration (
  extension_name text not null references extension on delete cascade,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now(),
  primary key (extension_name, name)
);

-- What extensions may read of the tables of Turnout. Columns are added, never changed or removed within a version of the interface.
create schema if not exists published;

create or replace view published.person as
  select id, display_name as name, is_active from user_profile where not is_service_account;

create or replace view published.event as
  select id, title, type_id, location, start_time, end_time, active as is_published, cancelled_at from event where deleted_at is null;

create or replace view published.shift as
  select s.id, s.event_id, s.label, s.start_time, s.end_time, s.signup_flow_slug as flow, s.signup_flow_configuration as flow_configuration,
    s.min_count, s.max_count, s.free
  from shift s join event e on e.id = s.event_id where e.deleted_at is null;

-- Without guests and people of partners, who have no account here.
create or replace view published.participation as
  select p.id, p.shift_id, p.event_id, p.user_id as person_id, p.state, p.created_at
  from participation p join event e on e.id = p.event_id where e.deleted_at is null and p.user_id is not null;
