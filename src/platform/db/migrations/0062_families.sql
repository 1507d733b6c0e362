-- People without an e-mail address of their own: a user name to sign in with, and an address that several people may share.
-- `email` of such people is a stand-in at no-address.invalid, so that it stays unique and present.
alter table user_profile
  add column username text,
  add column contact_email text;
-- No row has them yet, so there is nothing to check.
alter table user_profile
  add constraint user_profile_username_check check (username ~ '^[A-Za-z][A-Za-z0-9._-]{2,39}$') not valid,
  add constraint user_profile_contact_email_check check (char_length(contact_email) <= 254) not valid;

-- Adults who act for children: sign them up, change their details, and get their mails.
create table guardianship (
  guardian_id bigint not null references user_profile (id) on delete cascade,
  child_id bigint not null references user_profile (id) on delete cascade,
  since timestamptz not null,
  granted_by_id bigint references user_profile (id) on delete set null,
  -- Whether the calendar of the guardian contains the shifts of the child.
  in_calendar boolean not null default true,
  primary key (guardian_id, child_id),
  check (guardian_id <> child_id)
);
create index guardianship_child_id_idx on guardianship (child_id);
create index guardianship_granted_by_id_idx on guardianship (granted_by_id) where granted_by_id is not null;
