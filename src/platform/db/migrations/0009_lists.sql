-- What keeps the lists of the API flat from two hundred to two hundred thousand events.

-- Shifts know the audience of their event while it is listed, and audiences count them.
alter table event add column shift_count integer not null default 0;
alter table audience add column listed_shift_count bigint not null default 0;
alter table shift add column listed_audience_id bigint references audience;
create index shift_listed_order_idx on shift (meeting_time, start_time, id) where listed_audience_id is not null;
create index shift_listed_audience_idx on shift (listed_audience_id, meeting_time, start_time, id) where listed_audience_id is not null;

create function place_shift() returns trigger language plpgsql as $$
begin
  -- Locked already here: an event that is being published does not see this shift, so the shift must see the event as it will be.
  select case when event.listed then event.audience_id end into new.listed_audience_id
    from event where event.id = new.event_id for no key update;
  return new;
end $$;
create trigger shift_place before insert or update of event_id on shift for each row execute function place_shift();

-- So do participations: what people see because they take part is found without a look at the events.
alter table participation add column listed_audience_id bigint references audience;
drop index participation_user_event_idx;
create index participation_user_event_idx on participation (user_id, listed_audience_id, event_id)
  where user_id is not null and state <> 4;
drop index participation_user_idx;
create index participation_user_idx on participation (user_id, id) include (state, listed_audience_id) where user_id is not null;

create or replace function place_participation() returns trigger language plpgsql as $$
begin
  -- The event first, as commands do: a shift that is moved or published meanwhile is read after that, not before.
  perform from event where id = (select event_id from shift where shift.id = new.shift_id) for no key update;
  select shift.event_id, coalesce(new.individual_start_time, shift.start_time), coalesce(new.individual_end_time, shift.end_time),
      shift.listed_audience_id
    into new.event_id, new.start_time, new.end_time, new.listed_audience_id
    from shift where shift.id = new.shift_id;
  if tg_op = 'UPDATE' then
    -- Who else may see the event is no change of the participation: cards on an open board stay valid.
    new.version := old.version;
    old.listed_audience_id := new.listed_audience_id;
    if new is distinct from old then new.version := old.version + 1; end if;
  end if;
  return new;
end $$;
create or replace function shift_moved() returns trigger language plpgsql as $$
begin
  update participation set shift_id = participation.shift_id
  from new_rows join old_rows using (id)
  where participation.shift_id = new_rows.id
    and (new_rows.start_time, new_rows.end_time, new_rows.event_id, new_rows.listed_audience_id)
      is distinct from (old_rows.start_time, old_rows.end_time, old_rows.event_id, old_rows.listed_audience_id);
  return null;
end $$;

create or replace function refresh_event_times(ids bigint[]) returns void language plpgsql as $$
begin
  if cardinality(ids) = 0 then return; end if;
  perform from event where id = any (ids) order by id for no key update;
  update event set start_time = times.start_time, end_time = times.end_time, shift_count = times.shift_count
  from (
    select wanted.id, min(shift.start_time) as start_time, max(shift.end_time) as end_time, count(shift.id) as shift_count
    from unnest(ids) as wanted (id) left join shift on shift.event_id = wanted.id
    group by wanted.id
  ) times
  where event.id = times.id;
end $$;

drop function count_audience(jsonb) cascade;
create function count_audience(differences jsonb) returns void language plpgsql as $$
begin
  perform from audience where id in (select (value->>'id')::bigint from jsonb_array_elements(differences)) order by id for no key update;
  update audience set listed_count = listed_count + d.events, listed_shift_count = listed_shift_count + d.shifts
  from (
    select (value->>'id')::bigint as id, (value->>'events')::bigint as events, (value->>'shifts')::bigint as shifts
    from jsonb_array_elements(differences)
  ) d
  where audience.id = d.id;
end $$;
create or replace function event_inserted() returns trigger language plpgsql as $$
declare differences jsonb;
begin
  select jsonb_agg(jsonb_build_object('id', audience_id, 'events', events, 'shifts', shifts)) into differences
  from (select audience_id, count(*) as events, sum(shift_count) as shifts from new_rows where listed group by audience_id) changed;
  if differences is not null then perform count_audience(differences); end if;
  return null;
end $$;
create or replace function event_updated() returns trigger language plpgsql as $$
declare differences jsonb;
begin
  select jsonb_agg(jsonb_build_object('id', audience_id, 'events', events, 'shifts', shifts)) into differences
  from (
    select audience_id, sum(event) as events, sum(shifts) as shifts
    from (
      select audience_id, 1 as event, shift_count as shifts from new_rows where listed
      union all
      select audience_id, -1, -shift_count from old_rows where listed
    ) moved
    group by audience_id having sum(event) <> 0 or sum(shifts) <> 0
  ) changed;
  if differences is not null then perform count_audience(differences); end if;
  -- Shifts follow when their event is published, cancelled or shown to others.
  if exists (
    select from new_rows join old_rows using (id)
    where (new_rows.listed, new_rows.audience_id) is distinct from (old_rows.listed, old_rows.audience_id)
  ) then
    update shift set listed_audience_id = case when new_rows.listed then new_rows.audience_id end
    from new_rows
    where shift.event_id = new_rows.id
      and shift.listed_audience_id is distinct from case when new_rows.listed then new_rows.audience_id end;
  end if;
  return null;
end $$;
create or replace function event_deleted() returns trigger language plpgsql as $$
declare differences jsonb;
begin
  select jsonb_agg(jsonb_build_object('id', audience_id, 'events', -events, 'shifts', -shifts)) into differences
  from (select audience_id, count(*) as events, sum(shift_count) as shifts from old_rows where listed group by audience_id) changed;
  if differences is not null then perform count_audience(differences); end if;
  return null;
end $$;

-- Small catalogues are kept in memory by their version, which every request reads beside its rows.
create table catalogue_version (
  name text primary key,
  version bigint not null default 1
);
insert into catalogue_version (name) values ('qualifications');
create function qualifications_changed() returns trigger language plpgsql as $$
begin
  update catalogue_version set version = version + 1 where name = 'qualifications';
  return null;
end $$;
create trigger qualification_category_catalogue after insert or update or delete on qualification_category
  for each statement execute function qualifications_changed();
create trigger qualification_catalogue after insert or update or delete on qualification
  for each statement execute function qualifications_changed();
create trigger qualification_inclusion_catalogue after insert or update or delete on qualification_inclusion
  for each statement execute function qualifications_changed();
