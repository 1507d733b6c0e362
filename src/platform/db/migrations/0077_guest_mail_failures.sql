-- A mail to the guest came back, or the server of the recipient refused it. Empty again when a later mail was taken.
alter table guest add column mail_failed_at timestamptz;
alter table guest add column mail_failure text;
-- No row has it yet, so there is nothing to check.
alter table guest add constraint guest_mail_failure_length check (char_length(mail_failure) <= 300) not valid;
