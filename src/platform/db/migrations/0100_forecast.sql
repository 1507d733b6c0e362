-- How the places of past shifts were taken, and which coming shifts will probably stay short. Both are computed from participations.

create table shift_pickup (
  shift_id bigint primary key references shift (id) on delete cascade,
  type_id bigint not null references event_type (id) on delete cascade,
  start_time timestamptz not null,
  needed int not null check (needed > 0),
  -- People who were confirmed in the end.
  final int not null,
  -- Places that were taken at each of LEAD_DAYS before the start; null: it is not known when people signed up.
  taken int[]
);
create index shift_pickup_type_idx on shift_pickup (type_id, start_time desc) where taken is not null;

-- How well forecasts of past shifts of a type would have been: people by which they were wrong, beside "as full as now".
create table forecast_quality (
  type_id bigint primary key references event_type (id) on delete cascade,
  tries int not null,
  error double precision not null,
  plain_error double precision not null,
  judged_at timestamptz not null
);

create table shift_forecast (
  shift_id bigint primary key references shift (id) on delete cascade,
  usual_percent int not null,
  low int not null,
  middle int not null,
  high int not null,
  stays_short boolean not null,
  compared_with int not null,
  made_at timestamptz not null
);

-- In the change feed: one record for each shift, without a forecast too.
create function mark_forecasts() returns trigger language plpgsql as $$
begin
  perform mark_parts_of_shifts('forecast', array(select shift_id from changed_rows));
  return null;
end $$;
create trigger shift_forecast_mark_inserted after insert on shift_forecast referencing new table as changed_rows
  for each statement execute function mark_forecasts();
create trigger shift_forecast_mark_updated after update on shift_forecast referencing new table as changed_rows
  for each statement execute function mark_forecasts();
create trigger shift_forecast_mark_deleted after delete on shift_forecast referencing old table as changed_rows
  for each statement execute function mark_forecasts();

create or replace function has_records_of_planners(of_event bigint) returns boolean language sql stable as $$
  select exists (select from participation p where p.event_id = of_event)
    or exists (select from waiting_entry w join shift s on s.id = w.shift_id where s.event_id = of_event)
    or exists (select from inquiry i join shift s on s.id = i.shift_id where s.event_id = of_event)
    or exists (select from shift_forecast f join shift s on s.id = f.shift_id where s.event_id = of_event)
$$;
