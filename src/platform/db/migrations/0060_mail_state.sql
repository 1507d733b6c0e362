-- Addresses whose mails came back, and whether the mail server takes mails.

-- The flag `email_invalid` decides; this says since when and why. A row counts only while the account has this address.
create table email_failure (
  user_id bigint primary key references user_profile on delete cascade,
  email text not null,
  -- Null: only temporary failures so far.
  failed_at timestamptz,
  reason text not null default '' check (char_length(reason) <= 300),
  soft_since timestamptz,
  soft_last_at timestamptz,
  soft_count integer not null default 0,
  -- Somebody said that the address works. Reports about mails that were sent before do not count.
  cleared_at timestamptz
);

-- One row, because only the last delivery matters.
create table mail_state (
  id integer primary key default 1 check (id = 1),
  sent_at timestamptz,
  -- Null: the last mail was sent.
  failed_at timestamptz,
  reason text not null default '' check (char_length(reason) <= 300)
);
