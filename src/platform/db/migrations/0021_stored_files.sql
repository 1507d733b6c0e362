-- Files that people upload. The bytes are in the file store under the same id; features refer to a row by its id.

create table stored_file (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 255),
  -- Detected from the bytes, never what the client claimed.
  content_type text not null,
  bytes bigint not null check (bytes > 0),
  sha256 bytea not null check (octet_length(sha256) = 32),
  created_at timestamptz not null default now()
);
