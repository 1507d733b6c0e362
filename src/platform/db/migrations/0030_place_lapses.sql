-- Stored, so that the people responsible are notified once of a confirmed person who no longer meets what the place needs.
alter table place_basis
  add column lapse text check (lapse in ('unqualified', 'left_group')),
  -- Identifies the lapse: a person who is qualified again and lapses again causes another notification.
  add column lapse_id uuid,
  add constraint place_basis_lapse_id_check check ((lapse is null) = (lapse_id is null));
create index place_basis_lapse_idx on place_basis (participation_id) where lapse is not null;

-- The job that recomputes statistics fills the columns.
update shift set stats_stale = true where end_time > now() and confirmed_count > 0;
