-- For screens without a person: how many are missing, and who is there.
create or replace view published.shift as
  select s.id, s.event_id, s.label, s.start_time, s.end_time, s.signup_flow_slug as flow, s.signup_flow_configuration as flow_configuration,
    s.min_count, s.max_count, s.free, s.confirmed_count, s.missing,
    (select count(*)::int from participation p join attendance a on a.participation_id = p.id
      where p.shift_id = s.id and p.state = 1 and a.arrived_at is not null and a.left_at is null) as present_count
  from shift s join event e on e.id = s.event_id where e.deleted_at is null;

create or replace view published.participation as
  select p.id, p.shift_id, p.event_id, p.user_id as person_id, p.state, p.created_at, a.arrived_at, a.left_at
  from participation p join event e on e.id = p.event_id left join attendance a on a.participation_id = p.id
  where e.deleted_at is null and p.user_id is not null;
