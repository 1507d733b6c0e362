-- A sign-up changes the counts of its shift and then its statistics, and each of them updated the event, to give it a new version. A
-- transaction that has updated the event already (`xmin`) has given it a version that others have not seen: only changed times and counts
-- have to be written again.
create or replace function refresh_event_times(ids bigint[]) returns void language plpgsql
set plan_cache_mode = 'force_generic_plan' as $$
begin
  if cardinality(ids) = 0 then return; end if;
  perform from event where id = any (ids) order by id for no key update;
  update event set start_time = times.start_time, end_time = times.end_time, shift_count = times.shift_count
  from (
    select wanted.id, min(shift.start_time) as start_time, max(shift.end_time) as end_time, count(shift.id) as shift_count
    from unnest(ids) as wanted (id) left join shift on shift.event_id = wanted.id
    group by wanted.id
  ) times
  where event.id = times.id
    and (event.xmin <> pg_current_xact_id()::xid
      or (event.start_time, event.end_time, event.shift_count) is distinct from (times.start_time, times.end_time, times.shift_count));
end $$;

-- Counts the participations once: which rows are missing depends on the events alone.
create or replace function refresh_participation_counts(ids bigint[]) returns void language plpgsql
set plan_cache_mode = 'force_generic_plan' as $$
begin
  if cardinality(ids) = 0 then return; end if;
  perform from event where id = any (ids) order by id for no key update;
  insert into participation_count (audience_id, type_id, responsible_group_ids)
    select distinct n.audience_id, n.type_id, n.responsible_group_ids
    from (
      select e.id, e.audience_id, e.type_id,
        array(select g.group_id from event_group_grant g where g.event_id = e.id and g.permission = 'change' order by g.group_id)
          as responsible_group_ids
      from event e where e.id = any (ids) and e.listed
    ) n
    where exists (select from participation p where p.event_id = n.id and p.state in (0, 1))
      and not exists (
        select from participation_count c
        where (c.audience_id, c.type_id, c.responsible_group_ids) = (n.audience_id, n.type_id, n.responsible_group_ids))
    order by 1, 2, 3
    on conflict do nothing;
  with counted as materialized (
    select n.event_id, c.id as count_id, n.local_count, n.other_count
    from counted_participations(ids) n join participation_count c using (audience_id, type_id, responsible_group_ids)
  ), removed as (
    delete from event_participation_count where event_id = any (ids) and event_id not in (select event_id from counted)
  )
  insert into event_participation_count as known (event_id, count_id, local_count, other_count) select * from counted
  on conflict (event_id) do update
    set count_id = excluded.count_id, local_count = excluded.local_count, other_count = excluded.other_count
    where (known.count_id, known.local_count, known.other_count)
      is distinct from (excluded.count_id, excluded.local_count, excluded.other_count);
end $$;
