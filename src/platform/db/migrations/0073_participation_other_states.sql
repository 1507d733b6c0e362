-- without transaction
-- The list of participations in all states adds up those that nobody counts, by event.
create index concurrently if not exists participation_other_states_idx on participation (event_id) include (user_id)
  where state in (2, 3, 4) and listed_audience_id is not null;
