-- A mail to the guest came back, or the server of the recipient refused it. Empty again when a later mail was taken.
alter table guest add column mail_failed_at timestamptz;
alter table guest add column mail_failure text check (char_length(mail_failure) <= 1000);
