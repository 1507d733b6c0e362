-- Languages come with files of translators, so the database does not list them.
alter table user_profile drop constraint user_profile_preferred_language_check;
alter table user_profile add constraint user_profile_preferred_language_check
  check (preferred_language ~ '^[a-z]{2,3}(-[A-Z][A-Za-z]{1,3})?$') not valid;
alter table user_profile validate constraint user_profile_preferred_language_check;
