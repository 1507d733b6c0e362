-- without transaction
-- Pages read events and shifts by audience, so that their cost depends on what a person sees and not on how much there is.

create index concurrently if not exists event_shown_audience_idx on event (audience_id, start_time, end_time, id)
  where active and deleted_at is null;
create index concurrently if not exists event_shown_start_idx on event (start_time, end_time, id)
  where active and deleted_at is null;
-- Those that go on at some time: few events last longer than two days, and the others began at most two days before.
create index concurrently if not exists event_long_audience_idx on event (audience_id, end_time, start_time, id)
  where active and deleted_at is null and end_time - start_time > interval '2 days';
create index concurrently if not exists event_long_idx on event (end_time, start_time, id)
  where active and deleted_at is null and end_time - start_time > interval '2 days';
create index concurrently if not exists shift_short_audience_idx on shift (listed_audience_id, end_time, id)
  where (missing > 0 or shortfall > 0) and listed_audience_id is not null;
create index concurrently if not exists shift_asked_audience_idx on shift (listed_audience_id, end_time, id)
  where requested_count > 0 and signup_flow_slug <> 'coupled' and listed_audience_id is not null;
create index concurrently if not exists audience_groups_idx on audience using gin (group_ids);
create index concurrently if not exists participation_user_requested_idx on participation (user_id, end_time)
  where user_id is not null and state = 0;
-- The number of people in the list of people.
create index concurrently if not exists user_profile_listed_idx on user_profile (id)
  where deleted_at is null and is_visible and is_active;
-- Those who see all events.
create index concurrently if not exists user_profile_superuser_idx on user_profile (id) where is_superuser;
