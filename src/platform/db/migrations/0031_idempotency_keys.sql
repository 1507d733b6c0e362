-- Answers to POST requests of the API with an Idempotency-Key, so that a repeated request is answered without writing again.
create table idempotency_key (
  user_id bigint not null references user_profile (id) on delete cascade,
  key text not null check (length(key) between 1 and 255),
  -- Method, address and body: another request under the same key is a mistake of the client.
  request_hash bytea not null,
  created_at timestamptz not null,
  -- Null while the request runs; other requests wait for its transaction and never see it.
  status smallint,
  headers jsonb,
  body text,
  primary key (user_id, key)
);
create index idempotency_key_created_at_idx on idempotency_key (created_at);
