-- When a record of the API last changed, for the filter modified_since. Rows that exist count as changed by this migration.
-- A default that is constant during the migration rewrites no rows. Later changes get clock_timestamp() instead of now(), because the
-- start of a long transaction is further from the moment when others see it.

alter table event add column modified_at timestamptz not null default now();
alter table event alter column modified_at set default clock_timestamp();
alter table event_type add column modified_at timestamptz not null default now();
alter table event_type alter column modified_at set default clock_timestamp();
alter table participation add column modified_at timestamptz not null default now();
alter table participation alter column modified_at set default clock_timestamp();
alter table user_profile add column modified_at timestamptz not null default now();
alter table user_profile alter column modified_at set default clock_timestamp();

create function note_modification() returns trigger language plpgsql as $$
begin
  if new is distinct from old then new.modified_at := clock_timestamp(); end if;
  return new;
end $$;
-- Triggers of a table run in the order of their names: these after the ones that derive columns.
-- An event changes with its shifts and their statistics: their triggers update it.
create trigger event_when_modified before update on event for each row execute function note_modification();
create trigger event_type_when_modified before update on event_type for each row execute function note_modification();
create trigger participation_when_modified before update on participation for each row execute function note_modification();
-- Only what the profile shows: signing in is no modification.
create trigger user_profile_when_modified before update of display_name, date_of_birth, email, is_active, is_visible on user_profile
  for each row execute function note_modification();

-- Qualifications are part of a profile. Rows are locked in the order of their ids.
create function note_qualification() returns trigger language plpgsql as $$
begin
  perform from user_profile where id in (select user_id from changed_rows) order by id for no key update;
  update user_profile set modified_at = clock_timestamp() where id in (select user_id from changed_rows);
  return null;
end $$;
create trigger qualification_grant_when_inserted after insert on qualification_grant referencing new table as changed_rows
  for each statement execute function note_qualification();
create trigger qualification_grant_when_updated after update on qualification_grant referencing new table as changed_rows
  for each statement execute function note_qualification();
create trigger qualification_grant_when_deleted after delete on qualification_grant referencing old table as changed_rows
  for each statement execute function note_qualification();

create index participation_modified_idx on participation (modified_at);
create index participation_comment_created_idx on participation_comment (created_at);
