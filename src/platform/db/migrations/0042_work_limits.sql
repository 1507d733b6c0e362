-- Rest, hours and nights of people, as a warning or a refusal.
create table work_limit (
  id bigint generated always as identity primary key,
  -- Null: for all people who are in no group with a limit of this kind.
  group_id bigint references user_group (id) on delete cascade,
  kind text not null check (
    kind in ('rest_hours', 'hours_per_week', 'nights_in_row', 'minor_hours_per_day', 'minor_latest_hour', 'minor_accompanied')
  ),
  value integer not null check (value between 0 and 168),
  blocks boolean not null,
  unique nulls not distinct (group_id, kind)
);

insert into work_limit (kind, value, blocks)
select 'rest_hours', (value #>> '{}')::integer, false from setting where name = 'minimum_rest_hours' and (value #>> '{}') ~ '^[1-9][0-9]?$';
delete from setting where name = 'minimum_rest_hours';
