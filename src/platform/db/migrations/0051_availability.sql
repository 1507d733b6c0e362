-- When people can or cannot take part, as they say. Hints only.
create table weekly_time (
  id bigint generated always as identity primary key,
  user_id bigint not null references user_profile (id) on delete cascade,
  kind text not null check (kind in ('can', 'cannot')),
  -- From Monday as 1.
  weekday smallint not null check (weekday between 1 and 7),
  from_minute smallint not null check (from_minute between 0 and 1439),
  until_minute smallint not null check (until_minute <= 1440),
  check (from_minute < until_minute)
);
create index weekly_time_user_id_idx on weekly_time (user_id);

create table day_period (
  id bigint generated always as identity primary key,
  user_id bigint not null references user_profile (id) on delete cascade,
  kind text not null check (kind in ('can', 'cannot')),
  first_day date not null,
  last_day date not null,
  check (first_day <= last_day)
);
create index day_period_user_id_idx on day_period (user_id, last_day);
