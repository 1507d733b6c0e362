-- What people keep about themselves: emergency contact, picture, and a change of their address that waits for its confirmation.

alter table user_profile
  add column emergency_name text check (char_length(emergency_name) <= 254),
  add column emergency_phone text check (char_length(emergency_phone) <= 254);

create table profile_picture (
  user_id bigint primary key references user_profile on delete cascade,
  file_id uuid not null unique references stored_file
);

-- The last change of the own address. Links are stored as hashes and exist only in the mails.
create table email_change (
  user_id bigint primary key references user_profile on delete cascade,
  former_email text not null,
  new_email text not null check (char_length(new_email) between 1 and 254),
  confirm_hash bytea unique,
  stop_hash bytea unique,
  requested_at timestamptz not null,
  confirmed_at timestamptz,
  -- The owner of the former address stopped or reverted the change.
  stopped_at timestamptz
);
