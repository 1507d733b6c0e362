-- The change feed: which records of the API changed, in the order of commits.

-- One row. Cursors contain the id, so that they end with the feed: a restored or imported instance starts another one.
create table change_feed (
  is_single boolean primary key default true check (is_single),
  id uuid not null default gen_random_uuid(),
  -- The position of the last change.
  position bigint not null default 0,
  -- The position of the last change that was deleted because of its age.
  removed_through bigint not null default 0,
  check (position >= removed_through)
);
insert into change_feed default values;

-- Positions are given after the commit, by one transaction at a time, so they become visible in their order.
create table change (
  position bigint primary key,
  kind text not null check (kind ~ '^[a-z]+(_[a-z]+)*$'),
  record_id bigint not null,
  at timestamptz not null,
  -- The kind of the journal entry about this record.
  cause text,
  -- The user of a participation, of working hours or of a profile; for `access` the user whose access changed.
  person_id bigint,
  -- Groups that saw the record before and after; null: nobody did, because it was hidden or did not exist.
  before_groups bigint[],
  after_groups bigint[],
  -- States of a participation before and after.
  before_state smallint,
  after_state smallint,
  -- Users in none of these groups who see the event because of a grant or a participation, and those who lost or gained that.
  users bigint[] not null default '{}',
  lost_users bigint[] not null default '{}',
  gained_users bigint[] not null default '{}',
  -- Only lost_users and gained_users learn of it: nothing else about the record changed.
  is_personal boolean not null default false,
  -- Who sees the participant of a participation: everybody who sees the event, or these.
  is_participant_shown boolean not null default false,
  viewer_users bigint[] not null default '{}',
  viewer_groups bigint[] not null default '{}'
);
create index change_access_person_idx on change (person_id, position) where kind = 'access';
create index change_access_group_idx on change (position) where kind = 'access' and person_id is null;

-- What transactions changed; the sequencer turns it into changes and deletes it.
create table change_pending (
  id bigint generated always as identity primary key,
  xact xid8 not null default pg_current_xact_id(),
  kind text not null,
  record_id bigint not null,
  event_id bigint,
  person_id bigint,
  -- Null: nobody sees the record, because it is hidden or does not exist.
  before_audience_id bigint,
  after_audience_id bigint,
  before_state smallint,
  after_state smallint
);

create function change_pending_inserted() returns trigger language plpgsql as $$
begin
  perform pg_notify('turnout_change', 'pending');
  return null;
end $$;
create trigger change_pending_inserted after insert on change_pending for each statement execute function change_pending_inserted();

-- The audience of records that all users with a permission see is the one without groups, which has the id 1.

create function mark_journal() returns trigger language plpgsql as $$
begin
  insert into change_pending (kind, record_id) select 'journal', id from new_rows;
  return null;
end $$;
create trigger journal_mark after insert on journal referencing new table as new_rows for each statement execute function mark_journal();

create function mark_events() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into change_pending (kind, record_id, event_id, after_audience_id)
      select 'event', id, id, case when listed then audience_id end from new_rows;
  elsif tg_op = 'DELETE' then
    insert into change_pending (kind, record_id, event_id, before_audience_id)
      select 'event', id, id, case when listed then audience_id end from old_rows;
  else
    insert into change_pending (kind, record_id, event_id, before_audience_id, after_audience_id)
      select 'event', n.id, n.id, case when o.listed then o.audience_id end, case when n.listed then n.audience_id end
      from new_rows n join old_rows o using (id)
      where (n.title, n.description, n.location, n.type_id, n.start_time, n.end_time, n.listed, n.audience_id)
        is distinct from (o.title, o.description, o.location, o.type_id, o.start_time, o.end_time, o.listed, o.audience_id);
  end if;
  return null;
end $$;
create trigger event_mark_inserted after insert on event referencing new table as new_rows
  for each statement execute function mark_events();
create trigger event_mark_updated after update on event referencing old table as old_rows new table as new_rows
  for each statement execute function mark_events();
create trigger event_mark_deleted after delete on event referencing old table as old_rows
  for each statement execute function mark_events();

-- An event contains its shifts and the sums of their statistics, so it changes with them.
create function mark_shifts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into change_pending (kind, record_id, event_id, after_audience_id)
      select 'shift', id, event_id, listed_audience_id from new_rows;
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
      from new_rows n join old_rows o using (id)
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
create trigger shift_mark_inserted after insert on shift referencing new table as new_rows
  for each statement execute function mark_shifts();
create trigger shift_mark_updated after update on shift referencing old table as old_rows new table as new_rows
  for each statement execute function mark_shifts();
create trigger shift_mark_deleted after delete on shift referencing old table as old_rows
  for each statement execute function mark_shifts();

-- `event_person`: the user may have gained (after) or lost (before) the sight of the event.
create function mark_participations() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into change_pending (kind, record_id, event_id, person_id, after_audience_id, after_state)
      select 'participation', id, event_id, user_id, listed_audience_id, state from new_rows;
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
      from new_rows n join old_rows o using (id)
      where (n.shift_id, n.user_id, n.guest_id, n.visitor_id, n.placeholder_name, n.state, n.start_time, n.end_time, n.structure_data,
          n.listed_audience_id)
        is distinct from (o.shift_id, o.user_id, o.guest_id, o.visitor_id, o.placeholder_name, o.state, o.start_time, o.end_time,
          o.structure_data, o.listed_audience_id);
    insert into change_pending (kind, record_id, event_id, person_id, before_state)
      select 'event_person', o.event_id, o.event_id, o.user_id, 1 from new_rows n join old_rows o using (id)
      where o.user_id is not null and o.state <> 4
        and (n.event_id, n.user_id, n.state <> 4) is distinct from (o.event_id, o.user_id, true);
    insert into change_pending (kind, record_id, event_id, person_id, after_state)
      select 'event_person', n.event_id, n.event_id, n.user_id, 1 from new_rows n join old_rows o using (id)
      where n.user_id is not null and n.state <> 4
        and (n.event_id, n.user_id, true) is distinct from (o.event_id, o.user_id, o.state <> 4);
  end if;
  return null;
end $$;
create trigger participation_mark_inserted after insert on participation referencing new table as new_rows
  for each statement execute function mark_participations();
create trigger participation_mark_updated after update on participation referencing old table as old_rows new table as new_rows
  for each statement execute function mark_participations();
create trigger participation_mark_deleted after delete on participation referencing old table as old_rows
  for each statement execute function mark_participations();

-- Comments are part of a participation.
create function mark_comments() returns trigger language plpgsql as $$
begin
  insert into change_pending (kind, record_id, event_id, person_id, before_audience_id, after_audience_id, before_state, after_state)
    select 'participation', p.id, p.event_id, p.user_id, p.listed_audience_id, p.listed_audience_id, p.state, p.state
    from participation p where p.id in (select participation_id from changed_rows);
  return null;
end $$;
create trigger participation_comment_mark_inserted after insert on participation_comment referencing new table as changed_rows
  for each statement execute function mark_comments();
create trigger participation_comment_mark_updated after update on participation_comment referencing new table as changed_rows
  for each statement execute function mark_comments();
create trigger participation_comment_mark_deleted after delete on participation_comment referencing old table as changed_rows
  for each statement execute function mark_comments();

-- Names and birthdays of people without an account are part of their participations.
create function mark_participants() returns trigger language plpgsql as $$
begin
  insert into change_pending (kind, record_id, event_id, person_id, before_audience_id, after_audience_id, before_state, after_state)
    select 'participation', p.id, p.event_id, p.user_id, p.listed_audience_id, p.listed_audience_id, p.state, p.state
    from participation p
    where tg_table_name = 'guest' and p.guest_id in (
        select n.id from new_rows n join old_rows o using (id)
        where (n.display_name, n.email, n.date_of_birth) is distinct from (o.display_name, o.email, o.date_of_birth))
      or tg_table_name = 'visitor' and p.visitor_id in (
        select n.id from new_rows n join old_rows o using (id)
        where (n.display_name, n.email, n.date_of_birth) is distinct from (o.display_name, o.email, o.date_of_birth));
  return null;
end $$;
create trigger guest_mark_updated after update on guest referencing old table as old_rows new table as new_rows
  for each statement execute function mark_participants();
create trigger visitor_mark_updated after update on visitor referencing old table as old_rows new table as new_rows
  for each statement execute function mark_participants();

create function mark_event_users() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into change_pending (kind, record_id, event_id, person_id, after_state)
      select distinct 'event_person', event_id, event_id, user_id, 1 from new_rows;
  else
    insert into change_pending (kind, record_id, event_id, person_id, before_state)
      select distinct 'event_person', event_id, event_id, user_id, 1 from old_rows;
  end if;
  return null;
end $$;
create trigger event_user_grant_mark_inserted after insert on event_user_grant referencing new table as new_rows
  for each statement execute function mark_event_users();
create trigger event_user_grant_mark_deleted after delete on event_user_grant referencing old table as old_rows
  for each statement execute function mark_event_users();

create function mark_users() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into change_pending (kind, record_id, person_id, after_audience_id)
      select 'user', id, id, case when is_visible then 1 end from new_rows;
  elsif tg_op = 'DELETE' then
    insert into change_pending (kind, record_id, person_id, before_audience_id)
      select 'user', id, id, case when is_visible then 1 end from old_rows;
  else
    insert into change_pending (kind, record_id, person_id, before_audience_id, after_audience_id)
      select 'user', n.id, n.id, case when o.is_visible then 1 end, case when n.is_visible then 1 end
      from new_rows n join old_rows o using (id)
      where (n.display_name, n.date_of_birth, n.email, n.is_visible, n.is_active)
        is distinct from (o.display_name, o.date_of_birth, o.email, o.is_visible, o.is_active);
    insert into change_pending (kind, record_id, person_id)
      select 'access', n.id, n.id from new_rows n join old_rows o using (id)
      where (n.is_staff, n.is_superuser, n.is_active) is distinct from (o.is_staff, o.is_superuser, o.is_active);
  end if;
  return null;
end $$;
create trigger user_profile_mark_inserted after insert on user_profile referencing new table as new_rows
  for each statement execute function mark_users();
create trigger user_profile_mark_updated after update on user_profile referencing old table as old_rows new table as new_rows
  for each statement execute function mark_users();
create trigger user_profile_mark_deleted after delete on user_profile referencing old table as old_rows
  for each statement execute function mark_users();

-- Qualifications are part of a profile.
create function mark_qualified_users() returns trigger language plpgsql as $$
begin
  insert into change_pending (kind, record_id, person_id, before_audience_id, after_audience_id)
    select 'user', u.id, u.id, case when u.is_visible then 1 end, case when u.is_visible then 1 end
    from user_profile u where u.id in (select user_id from changed_rows);
  return null;
end $$;
create trigger qualification_grant_mark_inserted after insert on qualification_grant referencing new table as changed_rows
  for each statement execute function mark_qualified_users();
create trigger qualification_grant_mark_updated after update on qualification_grant referencing new table as changed_rows
  for each statement execute function mark_qualified_users();
create trigger qualification_grant_mark_deleted after delete on qualification_grant referencing old table as changed_rows
  for each statement execute function mark_qualified_users();

-- `access` of a user, or of the users of a group (record_id, without person_id).
create function mark_access() returns trigger language plpgsql as $$
begin
  case tg_table_name
    when 'user_group_member', 'user_permission' then
      insert into change_pending (kind, record_id, person_id) select distinct 'access', user_id, user_id from changed_rows;
    when 'profile_user_grant' then
      insert into change_pending (kind, record_id, person_id) select distinct 'access', viewer_id, viewer_id from changed_rows;
    else
      insert into change_pending (kind, record_id) select distinct 'access', group_id from changed_rows;
  end case;
  return null;
end $$;
create trigger user_group_member_mark_inserted after insert on user_group_member referencing new table as changed_rows
  for each statement execute function mark_access();
create trigger user_group_member_mark_deleted after delete on user_group_member referencing old table as changed_rows
  for each statement execute function mark_access();
create trigger user_permission_mark_inserted after insert on user_permission referencing new table as changed_rows
  for each statement execute function mark_access();
create trigger user_permission_mark_deleted after delete on user_permission referencing old table as changed_rows
  for each statement execute function mark_access();
create trigger group_permission_mark_inserted after insert on group_permission referencing new table as changed_rows
  for each statement execute function mark_access();
create trigger group_permission_mark_deleted after delete on group_permission referencing old table as changed_rows
  for each statement execute function mark_access();
create trigger profile_user_grant_mark_inserted after insert on profile_user_grant referencing new table as changed_rows
  for each statement execute function mark_access();
create trigger profile_user_grant_mark_deleted after delete on profile_user_grant referencing old table as changed_rows
  for each statement execute function mark_access();
create trigger profile_group_grant_mark_inserted after insert on profile_group_grant referencing new table as changed_rows
  for each statement execute function mark_access();
create trigger profile_group_grant_mark_deleted after delete on profile_group_grant referencing old table as changed_rows
  for each statement execute function mark_access();

-- Records that everybody with the scope and the permission sees. The argument is the kind.
create function mark_records() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into change_pending (kind, record_id, after_audience_id) select tg_argv[0], id, 1 from new_rows;
  elsif tg_op = 'DELETE' then
    insert into change_pending (kind, record_id, before_audience_id) select tg_argv[0], id, 1 from old_rows;
  else
    insert into change_pending (kind, record_id, before_audience_id, after_audience_id)
      select tg_argv[0], n.id, 1, 1 from new_rows n join old_rows o using (id) where n is distinct from o;
  end if;
  return null;
end $$;
create trigger event_type_mark_inserted after insert on event_type referencing new table as new_rows
  for each statement execute function mark_records('event_type');
create trigger event_type_mark_updated after update on event_type referencing old table as old_rows new table as new_rows
  for each statement execute function mark_records('event_type');
create trigger event_type_mark_deleted after delete on event_type referencing old table as old_rows
  for each statement execute function mark_records('event_type');
create trigger qualification_mark_inserted after insert on qualification referencing new table as new_rows
  for each statement execute function mark_records('qualification');
create trigger qualification_mark_updated after update on qualification referencing old table as old_rows new table as new_rows
  for each statement execute function mark_records('qualification');
create trigger qualification_mark_deleted after delete on qualification referencing old table as old_rows
  for each statement execute function mark_records('qualification');
create trigger user_group_mark_inserted after insert on user_group referencing new table as new_rows
  for each statement execute function mark_records('group');
create trigger user_group_mark_updated after update on user_group referencing old table as old_rows new table as new_rows
  for each statement execute function mark_records('group');
create trigger user_group_mark_deleted after delete on user_group referencing old table as old_rows
  for each statement execute function mark_records('group');
create trigger resource_mark_inserted after insert on resource referencing new table as new_rows
  for each statement execute function mark_records('resource');
create trigger resource_mark_updated after update on resource referencing old table as old_rows new table as new_rows
  for each statement execute function mark_records('resource');
create trigger resource_mark_deleted after delete on resource referencing old table as old_rows
  for each statement execute function mark_records('resource');

create function mark_working_hours() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into change_pending (kind, record_id, person_id, after_audience_id) select 'working_hours', id, user_id, 1 from new_rows;
  elsif tg_op = 'DELETE' then
    insert into change_pending (kind, record_id, person_id, before_audience_id) select 'working_hours', id, user_id, 1 from old_rows;
  else
    insert into change_pending (kind, record_id, person_id, before_audience_id, after_audience_id)
      select 'working_hours', n.id, n.user_id, 1, 1 from new_rows n join old_rows o using (id) where n is distinct from o;
  end if;
  return null;
end $$;
create trigger working_hours_mark_inserted after insert on working_hours referencing new table as new_rows
  for each statement execute function mark_working_hours();
create trigger working_hours_mark_updated after update on working_hours referencing old table as old_rows new table as new_rows
  for each statement execute function mark_working_hours();
create trigger working_hours_mark_deleted after delete on working_hours referencing old table as old_rows
  for each statement execute function mark_working_hours();
