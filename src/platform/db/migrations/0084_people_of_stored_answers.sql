-- People whom a stored answer tells about: it is deleted with any of them. The body is sealed, and may have no name in it.
alter table idempotency_key add column about bigint[] not null default '{}';
