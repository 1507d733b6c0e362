-- Administrators who look at pages as another person, for some minutes. The row ends with the session and with the person.
create table viewing (
  session_hash bytea primary key references session on delete cascade,
  user_id bigint not null references user_profile on delete cascade,
  expires_at timestamptz not null
);
create index viewing_user_id_idx on viewing (user_id);
