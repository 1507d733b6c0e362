-- without transaction
-- People whose mails come back, and mails that were not sent, for the page about mail.

create index concurrently if not exists user_profile_email_invalid_idx on user_profile (id)
  where email_invalid and deleted_at is null and not is_service_account;
create index concurrently if not exists notification_unsent_idx on notification (id)
  where mail = 'failed' or (mail = 'skipped' and mail_reason = 'address') or (mail = 'waiting' and mail_reason is not null);
