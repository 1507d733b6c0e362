-- Kinds of the change feed for what planners and people read beside events and participations. Planners read one record for each shift
-- or event, people one for each of their own subjects, so a change names the shift, the event, the person or the own entry. Whoever is
-- to be asked in a later wave learns of nothing before that.

create function mark_parts_of_shifts(part text, shift_ids bigint[]) returns void language plpgsql as $$
begin
  if cardinality(shift_ids) = 0 then return; end if;
  insert into change_pending (kind, record_id, event_id, before_audience_id, after_audience_id)
    select part, id, event_id, listed_audience_id, listed_audience_id from shift
    where id = any (shift_ids) and listed_audience_id is not null order by id;
end $$;

create function mark_parts_of_people(part text, user_ids bigint[]) returns void language plpgsql as $$
begin
  if cardinality(user_ids) = 0 then return; end if;
  insert into change_pending (kind, record_id, person_id, before_audience_id, after_audience_id)
    select part, id, id, 1, 1 from user_profile where id = any (user_ids) order by id;
end $$;

-- Waiting lists. Who stands behind an entry that comes to an end has another position.
create function mark_waiting_entries() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into change_pending (kind, record_id, event_id, person_id, after_audience_id, is_new)
      select 'own_waiting_list', n.id, s.event_id, n.user_id, s.listed_audience_id, true
      from new_rows n join shift s on s.id = n.shift_id;
    perform mark_parts_of_shifts('waiting_list', array(select distinct shift_id from new_rows));
    return null;
  end if;
  if tg_op = 'DELETE' then
    insert into change_pending (kind, record_id, event_id, person_id, before_audience_id)
      select 'own_waiting_list', o.id, s.event_id, o.user_id, s.listed_audience_id
      from old_rows o join shift s on s.id = o.shift_id;
    perform mark_parts_of_shifts('waiting_list', array(select distinct shift_id from old_rows));
    insert into change_pending (kind, record_id, event_id, person_id, before_audience_id, after_audience_id)
      select distinct 'own_waiting_list', w.id, s.event_id, w.user_id, s.listed_audience_id, s.listed_audience_id
      from old_rows o join waiting_entry w on w.shift_id = o.shift_id and (w.since, w.id) > (o.since, o.id)
        join shift s on s.id = w.shift_id
      where o.state in ('waiting', 'offered') and w.state in ('waiting', 'offered');
    return null;
  end if;
  if not exists (select from new_rows) then return null; end if;
  insert into change_pending (kind, record_id, event_id, person_id, before_audience_id, after_audience_id)
    select 'own_waiting_list', n.id, s.event_id, n.user_id, s.listed_audience_id, s.listed_audience_id
    from new_rows n full join old_rows o using (id) join shift s on s.id = n.shift_id
    where (n.user_id, n.state, n.since, n.offered_until) is distinct from (o.user_id, o.state, o.since, o.offered_until);
  perform mark_parts_of_shifts('waiting_list', array(
    select distinct n.shift_id from new_rows n full join old_rows o using (id)
    where (n.user_id, n.state, n.since, n.offered_until, n.passed_over)
      is distinct from (o.user_id, o.state, o.since, o.offered_until, o.passed_over)));
  insert into change_pending (kind, record_id, event_id, person_id, before_audience_id, after_audience_id)
    select distinct 'own_waiting_list', w.id, s.event_id, w.user_id, s.listed_audience_id, s.listed_audience_id
    from new_rows n full join old_rows o using (id)
      join waiting_entry w on w.shift_id = n.shift_id and (w.since, w.id) > (n.since, n.id) join shift s on s.id = w.shift_id
    where (n.state in ('waiting', 'offered')) is distinct from (o.state in ('waiting', 'offered')) and w.state in ('waiting', 'offered');
  return null;
end $$;
create trigger waiting_entry_mark_inserted after insert on waiting_entry referencing new table as new_rows
  for each statement execute function mark_waiting_entries();
create trigger waiting_entry_mark_updated after update on waiting_entry referencing old table as old_rows new table as new_rows
  for each statement execute function mark_waiting_entries();
create trigger waiting_entry_mark_deleted after delete on waiting_entry referencing old table as old_rows
  for each statement execute function mark_waiting_entries();

-- Without a row, the mode is automatic.
create function mark_waiting_lines() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform mark_parts_of_shifts('waiting_list', array(select shift_id from new_rows where mode <> 'automatic'));
  elsif tg_op = 'DELETE' then
    perform mark_parts_of_shifts('waiting_list', array(select shift_id from old_rows where mode <> 'automatic'));
  else
    perform mark_parts_of_shifts('waiting_list', array(
      select n.shift_id from new_rows n full join old_rows o using (shift_id) where n.mode is distinct from o.mode));
  end if;
  return null;
end $$;
create trigger waiting_line_mark_inserted after insert on waiting_line referencing new table as new_rows
  for each statement execute function mark_waiting_lines();
create trigger waiting_line_mark_updated after update on waiting_line referencing old table as old_rows new table as new_rows
  for each statement execute function mark_waiting_lines();
create trigger waiting_line_mark_deleted after delete on waiting_line referencing old table as old_rows
  for each statement execute function mark_waiting_lines();

-- Inquiries. An inquiry that ends waits for no answers any more.
create function mark_inquiries() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform mark_parts_of_shifts('inquiries', array(select distinct shift_id from old_rows));
    return null;
  end if;
  perform mark_parts_of_shifts('inquiries', array(select distinct shift_id from new_rows));
  if tg_op = 'UPDATE' then
    perform mark_parts_of_people('own_inquiries', array(
      select distinct a.user_id
      from new_rows n full join old_rows o using (id) join inquiry_person a on a.inquiry_id = n.id
      where (n.message, n.ended_at) is distinct from (o.message, o.ended_at)
        and a.asked_at is not null and a.answer is null and a.withdrawn_at is null));
  end if;
  return null;
end $$;
create trigger inquiry_mark_inserted after insert on inquiry referencing new table as new_rows
  for each statement execute function mark_inquiries();
create trigger inquiry_mark_updated after update on inquiry referencing old table as old_rows new table as new_rows
  for each statement execute function mark_inquiries();
create trigger inquiry_mark_deleted after delete on inquiry referencing old table as old_rows
  for each statement execute function mark_inquiries();

create function mark_inquiry_people() returns trigger language plpgsql as $$
declare
  inquiries bigint[];
  users bigint[];
begin
  if tg_op = 'INSERT' then
    inquiries := array(select distinct inquiry_id from new_rows);
    users := array(select distinct user_id from new_rows where asked_at is not null);
  elsif tg_op = 'DELETE' then
    inquiries := array(select distinct inquiry_id from old_rows);
    users := array(select distinct user_id from old_rows where asked_at is not null);
  else
    inquiries := array(
      select distinct n.inquiry_id from new_rows n full join old_rows o using (id) where n is distinct from o);
    users := array(
      select distinct side.user_id from new_rows n full join old_rows o using (id)
        cross join lateral (values (n.user_id, n.asked_at), (o.user_id, o.asked_at)) side (user_id, asked_at)
      where side.asked_at is not null
        and (n.user_id, n.asked_at, n.answer, n.withdrawn_at) is distinct from (o.user_id, o.asked_at, o.answer, o.withdrawn_at));
  end if;
  perform mark_parts_of_shifts('inquiries', array(select distinct shift_id from inquiry where id = any (inquiries)));
  perform mark_parts_of_people('own_inquiries', users);
  return null;
end $$;
create trigger inquiry_person_mark_inserted after insert on inquiry_person referencing new table as new_rows
  for each statement execute function mark_inquiry_people();
create trigger inquiry_person_mark_updated after update on inquiry_person referencing old table as old_rows new table as new_rows
  for each statement execute function mark_inquiry_people();
create trigger inquiry_person_mark_deleted after delete on inquiry_person referencing old table as old_rows
  for each statement execute function mark_inquiry_people();

-- Searches for stand-ins. Those who were asked and have not answered see a search until it is not open any more.
create function mark_stand_ins() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform mark_parts_of_shifts('exchanges', array(select distinct shift_id from new_rows));
    perform mark_parts_of_people('own_exchanges', array(select distinct user_id from new_rows));
  elsif tg_op = 'DELETE' then
    perform mark_parts_of_shifts('exchanges', array(select distinct shift_id from old_rows));
    perform mark_parts_of_people('own_exchanges', array(select distinct user_id from old_rows));
  else
    perform mark_parts_of_shifts('exchanges', array(
      select distinct n.shift_id from new_rows n full join old_rows o using (id)
      where (n.user_id, n.state, n.taken_by_id) is distinct from (o.user_id, o.state, o.taken_by_id)));
    perform mark_parts_of_people('own_exchanges', array(
      select side.user_id from new_rows n full join old_rows o using (id) cross join lateral (values (n.user_id), (o.user_id)) side (user_id)
      where (n.user_id, n.state, n.next_at) is distinct from (o.user_id, o.state, o.next_at)
      union select a.user_id from new_rows n full join old_rows o using (id) join stand_in_person a on a.stand_in_id = n.id
      where (n.user_id, n.message, n.state = 'open') is distinct from (o.user_id, o.message, o.state = 'open')
        and a.asked_at is not null and a.answer is null));
  end if;
  return null;
end $$;
create trigger stand_in_mark_inserted after insert on stand_in referencing new table as new_rows
  for each statement execute function mark_stand_ins();
create trigger stand_in_mark_updated after update on stand_in referencing old table as old_rows new table as new_rows
  for each statement execute function mark_stand_ins();
create trigger stand_in_mark_deleted after delete on stand_in referencing old table as old_rows
  for each statement execute function mark_stand_ins();

-- The numbers of people of a search are part of it.
create function mark_stand_in_people() returns trigger language plpgsql as $$
declare
  searches bigint[];
  users bigint[];
begin
  if tg_op = 'INSERT' then
    searches := array(select distinct stand_in_id from new_rows);
    users := array(select distinct user_id from new_rows where asked_at is not null);
  elsif tg_op = 'DELETE' then
    searches := array(select distinct stand_in_id from old_rows);
    users := array(select distinct user_id from old_rows where asked_at is not null);
  else
    searches := array(
      select distinct n.stand_in_id from new_rows n full join old_rows o using (id) where n.asked_at is distinct from o.asked_at);
    users := array(
      select distinct side.user_id from new_rows n full join old_rows o using (id)
        cross join lateral (values (n.user_id, n.asked_at), (o.user_id, o.asked_at)) side (user_id, asked_at)
      where side.asked_at is not null and (n.user_id, n.asked_at, n.answer) is distinct from (o.user_id, o.asked_at, o.answer));
  end if;
  perform mark_parts_of_shifts('exchanges', array(select distinct shift_id from stand_in where id = any (searches)));
  perform mark_parts_of_people('own_exchanges', array(
    select user_id from stand_in where id = any (searches) union select unnest(users)));
  return null;
end $$;
create trigger stand_in_person_mark_inserted after insert on stand_in_person referencing new table as new_rows
  for each statement execute function mark_stand_in_people();
create trigger stand_in_person_mark_updated after update on stand_in_person referencing old table as old_rows new table as new_rows
  for each statement execute function mark_stand_in_people();
create trigger stand_in_person_mark_deleted after delete on stand_in_person referencing old table as old_rows
  for each statement execute function mark_stand_in_people();

-- Swaps concern two shifts and two people.
create function mark_swaps() returns trigger language plpgsql as $$
declare
  shifts bigint[];
  users bigint[];
begin
  if tg_op = 'INSERT' then
    shifts := array(select shift_id from new_rows union select other_shift_id from new_rows);
    users := array(select user_id from new_rows union select other_id from new_rows);
  elsif tg_op = 'DELETE' then
    shifts := array(select shift_id from old_rows union select other_shift_id from old_rows);
    users := array(select user_id from old_rows union select other_id from old_rows);
  else
    select array_agg(distinct side.shift_id), array_agg(distinct side.user_id) into shifts, users
    from new_rows n full join old_rows o using (id)
      cross join lateral (values (n.shift_id, n.user_id), (n.other_shift_id, n.other_id), (o.shift_id, o.user_id),
        (o.other_shift_id, o.other_id)) side (shift_id, user_id)
    where (n.user_id, n.shift_id, n.other_id, n.other_shift_id, n.state, n.expires_at)
      is distinct from (o.user_id, o.shift_id, o.other_id, o.other_shift_id, o.state, o.expires_at);
  end if;
  perform mark_parts_of_shifts('exchanges', coalesce(shifts, '{}'));
  perform mark_parts_of_people('own_exchanges', coalesce(users, '{}'));
  return null;
end $$;
create trigger swap_mark_inserted after insert on swap referencing new table as new_rows
  for each statement execute function mark_swaps();
create trigger swap_mark_updated after update on swap referencing old table as old_rows new table as new_rows
  for each statement execute function mark_swaps();
create trigger swap_mark_deleted after delete on swap referencing old table as old_rows
  for each statement execute function mark_swaps();

-- Attendance: one record for each event, and one for each own participation.
create function mark_attendance() returns trigger language plpgsql as $$
declare
  ids bigint[];
begin
  if tg_op = 'INSERT' then
    ids := array(select participation_id from new_rows);
  elsif tg_op = 'DELETE' then
    ids := array(select participation_id from old_rows);
  else
    ids := array(
      select n.participation_id from new_rows n full join old_rows o using (participation_id)
      where (n.arrived_at, n.left_at, n.no_show, n.is_absent) is distinct from (o.arrived_at, o.left_at, o.no_show, o.is_absent));
  end if;
  if cardinality(ids) = 0 then return null; end if;
  insert into change_pending (kind, record_id, event_id, before_audience_id, after_audience_id)
    select distinct 'attendance', event_id, event_id, listed_audience_id, listed_audience_id from participation
    where id = any (ids) and listed_audience_id is not null;
  insert into change_pending (kind, record_id, event_id, person_id, before_audience_id, after_audience_id)
    select 'own_attendance', id, event_id, user_id, listed_audience_id, listed_audience_id from participation
    where id = any (ids) and listed_audience_id is not null and user_id is not null and state = 1;
  return null;
end $$;
create trigger attendance_mark_inserted after insert on attendance referencing new table as new_rows
  for each statement execute function mark_attendance();
create trigger attendance_mark_updated after update on attendance referencing old table as old_rows new table as new_rows
  for each statement execute function mark_attendance();
create trigger attendance_mark_deleted after delete on attendance referencing old table as old_rows
  for each statement execute function mark_attendance();

-- Availability.
create function mark_availability() returns trigger language plpgsql as $$
begin
  perform mark_parts_of_people('availability', array(select distinct user_id from changed_rows));
  return null;
end $$;
create trigger weekly_time_mark_inserted after insert on weekly_time referencing new table as changed_rows
  for each statement execute function mark_availability();
create trigger weekly_time_mark_updated after update on weekly_time referencing new table as changed_rows
  for each statement execute function mark_availability();
create trigger weekly_time_mark_deleted after delete on weekly_time referencing old table as changed_rows
  for each statement execute function mark_availability();
create trigger day_period_mark_inserted after insert on day_period referencing new table as changed_rows
  for each statement execute function mark_availability();
create trigger day_period_mark_updated after update on day_period referencing new table as changed_rows
  for each statement execute function mark_availability();
create trigger day_period_mark_deleted after delete on day_period referencing old table as changed_rows
  for each statement execute function mark_availability();

-- Companions are participations; the list of them belongs to the person who brings them.
create function mark_companions() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if not exists (select from new_rows where brought_by_id is not null) then return null; end if;
    insert into change_pending (kind, record_id, event_id, person_id, before_audience_id, after_audience_id)
      select distinct 'companions', n.shift_id, n.event_id, b.user_id, n.listed_audience_id, n.listed_audience_id
      from new_rows n join participation b on b.id = n.brought_by_id
      where b.user_id is not null and n.listed_audience_id is not null;
  elsif tg_op = 'DELETE' then
    if not exists (select from old_rows where brought_by_id is not null) then return null; end if;
    insert into change_pending (kind, record_id, event_id, person_id, before_audience_id, after_audience_id)
      select distinct 'companions', o.shift_id, o.event_id, b.user_id, o.listed_audience_id, o.listed_audience_id
      from old_rows o join participation b on b.id = o.brought_by_id
      where b.user_id is not null and o.listed_audience_id is not null;
  else
    if not exists (select from new_rows where brought_by_id is not null) then return null; end if;
    insert into change_pending (kind, record_id, event_id, person_id, before_audience_id, after_audience_id)
      select distinct 'companions', n.shift_id, n.event_id, b.user_id, n.listed_audience_id, n.listed_audience_id
      from new_rows n full join old_rows o using (id) join participation b on b.id = n.brought_by_id
      where b.user_id is not null and n.listed_audience_id is not null
        and (n.state, n.placeholder_name, n.brought_by_id) is distinct from (o.state, o.placeholder_name, o.brought_by_id);
  end if;
  return null;
end $$;
create trigger participation_companions_inserted after insert on participation referencing new table as new_rows
  for each statement execute function mark_companions();
create trigger participation_companions_updated after update on participation referencing old table as old_rows new table as new_rows
  for each statement execute function mark_companions();
create trigger participation_companions_deleted after delete on participation referencing old table as old_rows
  for each statement execute function mark_companions();

-- Responsible people also see waiting lists and inquiries, which an event can have without participations.
create function has_records_of_planners(of_event bigint) returns boolean language sql stable as $$
  select exists (select from participation p where p.event_id = of_event)
    or exists (select from waiting_entry w join shift s on s.id = w.shift_id where s.event_id = of_event)
    or exists (select from inquiry i join shift s on s.id = i.shift_id where s.event_id = of_event)
$$;

create or replace function mark_responsible_sight() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'event_user_grant' then
    insert into change_pending (kind, record_id, person_id)
      select distinct 'access', c.user_id, c.user_id from changed_rows c
      where c.permission = 'change' and has_records_of_planners(c.event_id);
  else
    insert into change_pending (kind, record_id)
      select distinct 'access', c.group_id from changed_rows c
      where c.permission = 'change' and has_records_of_planners(c.event_id);
  end if;
  return null;
end $$;
