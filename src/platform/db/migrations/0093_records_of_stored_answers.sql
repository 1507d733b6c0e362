-- Records that a stored answer tells about, as `kind id`, for people without an account: it is deleted when their data is.
alter table idempotency_key add column about_records text[] not null default '{}';
