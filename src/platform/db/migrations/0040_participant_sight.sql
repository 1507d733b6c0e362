-- Who sees the participations of others depends on the event type, on who is responsible and on own confirmed participations. A change
-- of these shows or hides records that did not change themselves, so the feed tells people to read their lists again (`access`).

create function mark_sight_of_everybody(event_ids bigint[]) returns void language sql as $$
  insert into change_pending (kind, record_id, person_id)
    select 'access', id, null from user_group
    union select 'access', user_id, user_id from event_user_grant where event_id = any (event_ids)
    union select 'access', user_id, user_id from participation where event_id = any (event_ids) and user_id is not null
    union select 'access', user_id, user_id from user_permission
$$;

create function mark_event_sight() returns trigger language plpgsql as $$
declare
  affected bigint[] := array(
    select n.id from new_rows n join old_rows o using (id)
    join event_type a on a.id = n.type_id join event_type b on b.id = o.type_id
    where n.type_id <> o.type_id and a.show_participant_data <> b.show_participant_data
      and exists (select from participation p where p.event_id = n.id));
begin
  if cardinality(affected) > 0 then perform mark_sight_of_everybody(affected); end if;
  return null;
end $$;
create trigger event_sight after update on event referencing old table as old_rows new table as new_rows
  for each statement execute function mark_event_sight();

create function mark_event_type_sight() returns trigger language plpgsql as $$
declare
  affected bigint[] := array(
    select e.id from new_rows n join old_rows o using (id) join event e on e.type_id = n.id
    where n.show_participant_data <> o.show_participant_data and exists (select from participation p where p.event_id = e.id));
begin
  if cardinality(affected) > 0 then perform mark_sight_of_everybody(affected); end if;
  return null;
end $$;
create trigger event_type_sight after update on event_type referencing old table as old_rows new table as new_rows
  for each statement execute function mark_event_type_sight();

-- A new event has no participations when its responsible people are set.
create function mark_responsible_sight() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'event_user_grant' then
    insert into change_pending (kind, record_id, person_id)
      select distinct 'access', c.user_id, c.user_id from changed_rows c
      where c.permission = 'change' and exists (select from participation p where p.event_id = c.event_id);
  else
    insert into change_pending (kind, record_id)
      select distinct 'access', c.group_id from changed_rows c
      where c.permission = 'change' and exists (select from participation p where p.event_id = c.event_id);
  end if;
  return null;
end $$;
create trigger event_user_grant_sight_inserted after insert on event_user_grant referencing new table as changed_rows
  for each statement execute function mark_responsible_sight();
create trigger event_user_grant_sight_deleted after delete on event_user_grant referencing old table as changed_rows
  for each statement execute function mark_responsible_sight();
create trigger event_group_grant_sight_inserted after insert on event_group_grant referencing new table as changed_rows
  for each statement execute function mark_responsible_sight();
create trigger event_group_grant_sight_deleted after delete on event_group_grant referencing old table as changed_rows
  for each statement execute function mark_responsible_sight();

-- Types with the value 1 show participants to those who are confirmed. The arrays name the event and the user of each participation
-- that is confirmed now and was not before, or the other way round.
create function mark_sight_of_confirmed(event_ids bigint[], user_ids bigint[]) returns void language sql as $$
  insert into change_pending (kind, record_id, person_id)
    select distinct 'access', c.user_id, c.user_id
    from unnest(event_ids, user_ids) as c (event_id, user_id)
    join event e on e.id = c.event_id
    join event_type t on t.id = e.type_id and t.show_participant_data = 1
    where exists (select from participation p where p.event_id = c.event_id and p.user_id is distinct from c.user_id)
$$;

create function mark_participation_sight() returns trigger language plpgsql as $$
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
    from new_rows n join old_rows o using (id)
    cross join lateral (values (n.event_id, n.user_id, n.state), (o.event_id, o.user_id, o.state)) side (event_id, user_id, state)
    where side.user_id is not null and side.state = 1
      and (n.event_id, n.user_id, n.state = 1) is distinct from (o.event_id, o.user_id, o.state = 1);
  end if;
  if event_ids is not null then perform mark_sight_of_confirmed(event_ids, user_ids); end if;
  return null;
end $$;
create trigger participation_sight_inserted after insert on participation referencing new table as new_rows
  for each statement execute function mark_participation_sight();
create trigger participation_sight_updated after update on participation referencing old table as old_rows new table as new_rows
  for each statement execute function mark_participation_sight();
create trigger participation_sight_deleted after delete on participation referencing old table as old_rows
  for each statement execute function mark_participation_sight();
