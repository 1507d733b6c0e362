-- without transaction
-- Groups count their members without reading all of them: the few that do not count are subtracted.
create index concurrently if not exists user_profile_uncounted_idx on user_profile (id) where not is_active or is_service_account;
-- An import finds people by their addresses; several people may share a contact address.
create index concurrently if not exists user_profile_contact_email_idx on user_profile (lower(contact_email)) where contact_email is not null;
