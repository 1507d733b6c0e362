-- Statements that change thousands of rows. A session plans the queries of a trigger once, for as many rows as the first statement
-- changed. After a small one it joins the rows before and after by comparing each with each. PostgreSQL never does that for a full join,
-- and rows before and after match by their ids, so the result is the same. Conditions must accept nulls, or it becomes an inner join.

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
  -- Copy the audience to the shifts of events that were published, cancelled or shared with other groups.
  if exists (
    select from new_rows full join old_rows using (id)
    where (new_rows.listed, new_rows.audience_id) is distinct from (old_rows.listed, old_rows.audience_id)
  ) then
    update shift set listed_audience_id = case when new_rows.listed then new_rows.audience_id end
    from new_rows
    where shift.event_id = new_rows.id
      and shift.listed_audience_id is distinct from case when new_rows.listed then new_rows.audience_id end;
  end if;
  return null;
end $$;

create or replace function shift_moved() returns trigger language plpgsql as $$
declare
  moved bigint[] := array(
    select n.id from new_rows n full join old_rows o using (id)
    where (n.start_time, n.end_time, n.event_id, n.listed_audience_id)
      is distinct from (o.start_time, o.end_time, o.event_id, o.listed_audience_id));
begin
  if cardinality(moved) > 0 then update participation set shift_id = shift_id where shift_id = any (moved); end if;
  return null;
end $$;

create or replace function participation_listed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform refresh_participation_counts(array(select distinct event_id from new_rows where state in (0, 1) order by 1));
  elsif tg_op = 'DELETE' then
    perform refresh_participation_counts(array(select distinct event_id from old_rows where state in (0, 1) order by 1));
  else
    perform refresh_participation_counts(array(
      select distinct unnest(array[n.event_id, o.event_id]) from new_rows n full join old_rows o using (id)
      where (n.event_id, n.state in (0, 1), n.user_id is null) is distinct from (o.event_id, o.state in (0, 1), o.user_id is null)
      order by 1));
  end if;
  return null;
end $$;

create or replace function event_listed() returns trigger language plpgsql as $$
begin
  perform refresh_participation_counts(array(
    select n.id from new_rows n full join old_rows o using (id)
    where (n.listed, n.audience_id, n.type_id) is distinct from (o.listed, o.audience_id, o.type_id) order by n.id));
  return null;
end $$;

create or replace function mark_event_sight() returns trigger language plpgsql as $$
declare
  ids bigint[];
  types bigint[];
  former_types bigint[];
  affected bigint[];
begin
  select array_agg(n.id), array_agg(n.type_id), array_agg(o.type_id) into ids, types, former_types
  from new_rows n full join old_rows o using (id) where n.type_id is distinct from o.type_id;
  if ids is null then return null; end if;
  affected := array(
    select c.id from unnest(ids, types, former_types) as c (id, type_id, former_type_id)
    join event_type a on a.id = c.type_id join event_type b on b.id = c.former_type_id
    where a.show_participant_data <> b.show_participant_data and exists (select from participation p where p.event_id = c.id));
  if cardinality(affected) > 0 then perform mark_sight_of_everybody(affected); end if;
  return null;
end $$;

create or replace function mark_participation_sight() returns trigger language plpgsql as $$
declare
  event_ids bigint[];
  user_ids bigint[];
begin
  if tg_op = 'INSERT' then
    select array_agg(event_id), array_agg(user_id) into event_ids, user_ids from new_rows where user_id is not null and state = 1;
  elsif tg_op = 'DELETE' then
    select array_agg(event_id), array_agg(user_id) into event_ids, user_ids from old_rows where user_id is not null and state = 1;
  else
    select array_agg(side.event_id), array_agg(side.user_id) into event_ids, user_ids
    from new_rows n full join old_rows o using (id)
    cross join lateral (values (n.event_id, n.user_id, n.state), (o.event_id, o.user_id, o.state)) side (event_id, user_id, state)
    where side.user_id is not null and side.state = 1
      and (n.event_id, n.user_id, n.state = 1) is distinct from (o.event_id, o.user_id, o.state = 1);
  end if;
  if event_ids is not null then perform mark_sight_of_confirmed(event_ids, user_ids); end if;
  return null;
end $$;
