-- Whether confirmed people still meet what their place needs. A person whom a planner confirmed without the qualification has no row or
-- was_qualified = false and counts; a person who was qualified and is not any more does not count.
create table place_basis (
  participation_id bigint primary key references participation on delete cascade,
  -- The person met the needs of the place at some time since it was given to them.
  was_qualified boolean not null default false,
  -- The person has left the group through which they saw the event.
  has_left_group boolean not null default false
);

-- The job that recomputes statistics fills the table.
update shift set stats_stale = true where end_time > now() and confirmed_count > 0;
