-- without transaction
create unique index concurrently if not exists user_profile_username_key on user_profile (lower(username));
