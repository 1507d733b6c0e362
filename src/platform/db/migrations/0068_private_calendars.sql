-- Calendars that people have elsewhere, read for the times at which they are busy. Titles, places and people are not stored.
create table private_calendar (
  id bigint generated always as identity primary key,
  user_id bigint not null references user_profile (id) on delete cascade,
  name text not null,
  -- A secret of the person. Null: a file that was read once.
  address_sealed text,
  counts_all_day boolean not null,
  -- Busy times are known until then.
  covers_until timestamptz not null,
  -- Entries that could not be read.
  unread_count integer not null,
  etag text,
  last_modified text,
  last_success_at timestamptz not null,
  -- The reason of the last attempt, if it failed.
  failure text,
  failures_in_row integer not null default 0,
  -- Null: never.
  next_attempt_at timestamptz,
  check ((address_sealed is null) = (next_attempt_at is null))
);
create index private_calendar_user_id_idx on private_calendar (user_id);
create index private_calendar_next_attempt_at_idx on private_calendar (next_attempt_at) where next_attempt_at is not null;

create table busy_time (
  calendar_id bigint not null references private_calendar (id) on delete cascade,
  start_time timestamptz not null,
  end_time timestamptz not null,
  is_all_day boolean not null,
  check (start_time < end_time),
  -- By the end: times that are over are passed over.
  primary key (calendar_id, end_time, start_time, is_all_day)
);
