-- The most people that a shift lacks at the same time, if this is more than `missing`: people with individual times leave gaps. Else 0.
alter table shift add column shortfall integer not null default 0 check (shortfall >= 0);
update shift set stats_stale = true
  where end_time > now() and exists (
    select from participation p
    where p.shift_id = shift.id and p.state = 1 and num_nonnulls(p.individual_start_time, p.individual_end_time) > 0);

drop index shift_missing_idx;
create index shift_short_idx on shift (end_time, id) where missing > 0 or shortfall > 0;
