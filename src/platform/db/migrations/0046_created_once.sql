-- The feed calls a record `created` in the transaction that inserts it, and `visible` when somebody may see a record that existed before.
-- Null: written by a version that did not tell, and called `created` then.

-- Rows before and after are joined by a full join with conditions that accept nulls, see 0047_large_statements.

alter table change_pending add column is_new boolean;
alter table change add column is_new boolean;

create or replace function mark_events() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into change_pending (kind, record_id, event_id, after_audience_id, is_new)
      select 'event', id, id, case when listed then audience_id end, true from new_rows;
  elsif tg_op = 'DELETE' then
    insert into change_pending (kind, record_id, event_id, before_audience_id)
      select 'event', id, id, case when listed then audience_id end from old_rows;
  else
    insert into change_pending (kind, record_id, event_id, before_audience_id, after_audience_id)
      select 'event', n.id, n.id, case when o.listed then o.audience_id end, case when n.listed then n.audience_id end
      from new_rows n full join old_rows o using (id)
      where (n.title, n.description, n.location, n.type_id, n.start_time, n.end_time, n.listed, n.audience_id)
        is distinct from (o.title, o.description, o.location, o.type_id, o.start_time, o.end_time, o.listed, o.audience_id);
  end if;
  return null;
end $$;

create or replace function mark_shifts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into change_pending (kind, record_id, event_id, after_audience_id, is_new)
      select 'shift', id, event_id, listed_audience_id, true from new_rows;
    insert into change_pending (kind, record_id, event_id, before_audience_id, after_audience_id)
      select distinct 'event', event_id, event_id, listed_audience_id, listed_audience_id from new_rows;
  elsif tg_op = 'DELETE' then
    insert into change_pending (kind, record_id, event_id, before_audience_id)
      select 'shift', id, event_id, listed_audience_id from old_rows;
    insert into change_pending (kind, record_id, event_id, before_audience_id, after_audience_id)
      select distinct 'event', event_id, event_id, listed_audience_id, listed_audience_id from old_rows;
  else
    with changed as (
      insert into change_pending (kind, record_id, event_id, before_audience_id, after_audience_id)
      select 'shift', n.id, n.event_id, o.listed_audience_id, n.listed_audience_id
      from new_rows n full join old_rows o using (id)
      where (n.event_id, n.label, n.meeting_time, n.start_time, n.end_time, n.signup_flow_slug, n.signup_flow_configuration,
          n.structure_slug, n.structure_configuration, n.listed_audience_id, n.requested_count, n.confirmed_count, n.missing, n.free,
          n.min_count, n.max_count)
        is distinct from (o.event_id, o.label, o.meeting_time, o.start_time, o.end_time, o.signup_flow_slug, o.signup_flow_configuration,
          o.structure_slug, o.structure_configuration, o.listed_audience_id, o.requested_count, o.confirmed_count, o.missing, o.free,
          o.min_count, o.max_count)
      returning event_id, before_audience_id, after_audience_id
    )
    insert into change_pending (kind, record_id, event_id, before_audience_id, after_audience_id)
      select distinct 'event', event_id, event_id, before_audience_id, after_audience_id from changed;
  end if;
  return null;
end $$;

create or replace function mark_participations() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into change_pending (kind, record_id, event_id, person_id, after_audience_id, after_state, is_new)
      select 'participation', id, event_id, user_id, listed_audience_id, state, true from new_rows;
    insert into change_pending (kind, record_id, event_id, person_id, after_state)
      select 'event_person', event_id, event_id, user_id, 1 from new_rows where user_id is not null and state <> 4;
  elsif tg_op = 'DELETE' then
    insert into change_pending (kind, record_id, event_id, person_id, before_audience_id, before_state)
      select 'participation', id, event_id, user_id, listed_audience_id, state from old_rows;
    insert into change_pending (kind, record_id, event_id, person_id, before_state)
      select 'event_person', event_id, event_id, user_id, 1 from old_rows where user_id is not null and state <> 4;
  else
    insert into change_pending (kind, record_id, event_id, person_id, before_audience_id, after_audience_id, before_state, after_state)
      select 'participation', n.id, n.event_id, n.user_id, o.listed_audience_id, n.listed_audience_id, o.state, n.state
      from new_rows n full join old_rows o using (id)
      where (n.shift_id, n.user_id, n.guest_id, n.visitor_id, n.placeholder_name, n.state, n.start_time, n.end_time, n.structure_data,
          n.listed_audience_id)
        is distinct from (o.shift_id, o.user_id, o.guest_id, o.visitor_id, o.placeholder_name, o.state, o.start_time, o.end_time,
          o.structure_data, o.listed_audience_id);
    insert into change_pending (kind, record_id, event_id, person_id, before_state)
      select 'event_person', o.event_id, o.event_id, o.user_id, 1 from new_rows n full join old_rows o using (id)
      where coalesce(o.user_id, 0) <> 0 and coalesce(o.state, 4) <> 4
        and (n.event_id, n.user_id, n.state <> 4) is distinct from (o.event_id, o.user_id, true);
    insert into change_pending (kind, record_id, event_id, person_id, after_state)
      select 'event_person', n.event_id, n.event_id, n.user_id, 1 from new_rows n full join old_rows o using (id)
      where coalesce(n.user_id, 0) <> 0 and coalesce(n.state, 4) <> 4
        and (n.event_id, n.user_id, true) is distinct from (o.event_id, o.user_id, o.state <> 4);
  end if;
  return null;
end $$;

create or replace function mark_users() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into change_pending (kind, record_id, person_id, after_audience_id, is_new)
      select 'user', id, id, case when is_visible then 1 end, true from new_rows;
  elsif tg_op = 'DELETE' then
    insert into change_pending (kind, record_id, person_id, before_audience_id)
      select 'user', id, id, case when is_visible then 1 end from old_rows;
  else
    insert into change_pending (kind, record_id, person_id, before_audience_id, after_audience_id)
      select 'user', n.id, n.id, case when o.is_visible then 1 end, case when n.is_visible then 1 end
      from new_rows n full join old_rows o using (id)
      where (n.display_name, n.date_of_birth, n.email, n.is_visible, n.is_active)
        is distinct from (o.display_name, o.date_of_birth, o.email, o.is_visible, o.is_active);
    insert into change_pending (kind, record_id, person_id)
      select 'access', n.id, n.id from new_rows n full join old_rows o using (id)
      where (n.is_staff, n.is_superuser, n.is_active) is distinct from (o.is_staff, o.is_superuser, o.is_active);
  end if;
  return null;
end $$;

create or replace function mark_records() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into change_pending (kind, record_id, after_audience_id, is_new) select tg_argv[0], id, 1, true from new_rows;
  elsif tg_op = 'DELETE' then
    insert into change_pending (kind, record_id, before_audience_id) select tg_argv[0], id, 1 from old_rows;
  else
    insert into change_pending (kind, record_id, before_audience_id, after_audience_id)
      select tg_argv[0], n.id, 1, 1 from new_rows n full join old_rows o using (id) where n is distinct from o;
  end if;
  return null;
end $$;

create or replace function mark_working_hours() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into change_pending (kind, record_id, person_id, after_audience_id, is_new)
      select 'working_hours', id, user_id, 1, true from new_rows;
  elsif tg_op = 'DELETE' then
    insert into change_pending (kind, record_id, person_id, before_audience_id) select 'working_hours', id, user_id, 1 from old_rows;
  else
    insert into change_pending (kind, record_id, person_id, before_audience_id, after_audience_id)
      select 'working_hours', n.id, n.user_id, 1, 1 from new_rows n full join old_rows o using (id) where n is distinct from o;
  end if;
  return null;
end $$;

-- Groups and responsible people are part of what planners change about an event, so the event changes with them. An event that this
-- transaction wrote has a new time and version already. A person who may only view the event is not announced to others.
create function note_event_grants() returns trigger language plpgsql as $$
declare
  ids bigint[] := array(select distinct event_id from changed_rows where tg_table_name = 'event_group_grant' or permission = 'change' order by 1);
begin
  if cardinality(ids) = 0 then return null; end if;
  perform from event where id = any (ids) order by id for no key update;
  update event set modified_at = clock_timestamp() where id = any (ids) and xmin <> pg_current_xact_id()::xid;
  insert into change_pending (kind, record_id, event_id, before_audience_id, after_audience_id)
    select 'event', e.id, e.id, e.audience_id, e.audience_id from event e where e.id = any (ids) and e.listed;
  return null;
end $$;
create trigger event_group_grant_when_inserted after insert on event_group_grant referencing new table as changed_rows
  for each statement execute function note_event_grants();
create trigger event_group_grant_when_updated after update on event_group_grant referencing new table as changed_rows
  for each statement execute function note_event_grants();
create trigger event_group_grant_when_deleted after delete on event_group_grant referencing old table as changed_rows
  for each statement execute function note_event_grants();
create trigger event_user_grant_when_inserted after insert on event_user_grant referencing new table as changed_rows
  for each statement execute function note_event_grants();
create trigger event_user_grant_when_updated after update on event_user_grant referencing new table as changed_rows
  for each statement execute function note_event_grants();
create trigger event_user_grant_when_deleted after delete on event_user_grant referencing old table as changed_rows
  for each statement execute function note_event_grants();
