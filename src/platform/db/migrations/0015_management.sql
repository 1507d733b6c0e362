-- People who were deleted: their record stays without anything personal, since participations and hours hang on it.
alter table user_profile add column deleted_at timestamptz;
alter table user_profile add constraint user_profile_deleted_is_closed
  check (deleted_at is null or (not is_active and not is_visible and not is_staff and not is_superuser and password_hash is null));

-- The list of people reads its page from this, in order, however many there are.
create index user_profile_name_idx on user_profile (lower(display_name), id) where deleted_at is null;
create index user_profile_staff_idx on user_profile (id) where is_staff;

-- The log is read from its end, by kind.
create index journal_kind_idx on journal (kind, id);
create index journal_request_idx on journal (request_id) where request_id is not null;
