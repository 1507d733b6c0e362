-- without transaction
create index concurrently if not exists notification_about_idx on notification (user_id, about_id) where about_id is not null;
