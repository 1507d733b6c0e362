-- The order of categories on pages; equal ones by title.
alter table qualification_category add column rank integer not null default 0;

-- A shift that is being written gets its statistics from blocks and from what qualifications include. Whoever changes those
-- marks the shifts that it finds, and must not miss one that is not committed yet: it waits for them, and they for it.
-- Shared, so that shifts do not wait for each other.
create function shift_reads_catalogue() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('turnout.block_composition'));
  perform pg_advisory_xact_lock_shared(hashtext('turnout.qualification_closure'));
  return null;
end $$;
create trigger shift_reads_catalogue before insert or update of structure_slug, structure_configuration on shift
  for each statement execute function shift_reads_catalogue();
