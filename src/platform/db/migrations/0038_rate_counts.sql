-- What rate limits have counted on all nodes. Not logged: after a crash of the database the counts begin anew, which costs nothing
-- but a minute. Backups leave unlogged tables out.
create unlogged table rate_count (
  -- Hash of the limit and of the address or credential, which is then stored nowhere.
  key bytea primary key,
  -- Requests, or attempts that failed.
  count integer not null,
  -- Attempts that run and may still fail.
  pending integer not null default 0,
  ends_at timestamptz not null
) with (fillfactor = 70);
