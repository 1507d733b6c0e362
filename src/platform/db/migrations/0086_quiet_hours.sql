-- Times of the clock between which a person gets nothing that can wait, as '22:00-07:00'; null: the person has chosen none.
alter table user_profile add column quiet_hours text;
alter table user_profile add constraint user_profile_quiet_hours_check
  check (quiet_hours ~ '^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$') not valid;
alter table user_profile validate constraint user_profile_quiet_hours_check;
-- Nothing is sent before; null: at once.
alter table notification add column quiet_until timestamptz;
