-- without transaction
-- The lists of events, shifts and users with modified_since read what changed, not all rows.
create index concurrently if not exists event_modified_idx on event (modified_at, id);
create index concurrently if not exists user_profile_modified_idx on user_profile (modified_at, id);
