-- Corrects what earlier versions imported or stored differently from ephios.

-- Paths of units end with a dot. Earlier versions did not recognise imported ones, so the statistics of their shifts are wrong, also
-- those of ended shifts.
update shift set stats_stale = true
where (exists (select from moved_in_row) or exists (select from journal where kind like 'imported.%'))
  and id in (
    select shift_id from participation
    where structure_data ->> 'dispatched_unit_path' like '%.' or structure_data ->> 'preferred_unit_path' like '%.'
  );

-- Earlier versions stored paths without the last dot.
update participation set structure_data = structure_data
  || case when structure_data ->> 'dispatched_unit_path' ~ '[^.]$'
    then jsonb_build_object('dispatched_unit_path', (structure_data ->> 'dispatched_unit_path') || '.') else '{}' end
  || case when structure_data ->> 'preferred_unit_path' ~ '[^.]$'
    then jsonb_build_object('preferred_unit_path', (structure_data ->> 'preferred_unit_path') || '.') else '{}' end
where structure_data ->> 'dispatched_unit_path' ~ '[^.]$' or structure_data ->> 'preferred_unit_path' ~ '[^.]$';

-- Qualifications of imported guests count, as they did in ephios. Until now guests could not register here, so all guests of an
-- imported instance were imported.
with verified as (
  update guest_qualification set verified_at = now()
  where verified_at is null
    and (exists (select from moved_in_row) or exists (select from journal where kind like 'imported.%'))
  returning guest_id
)
update shift set stats_stale = true
where structure_slug <> 'uniform'
  and id in (select shift_id from participation where guest_id in (select guest_id from verified));
