-- without transaction
-- The shortage view reads the short shifts of a period by their start and stops after the first 500.
create index concurrently if not exists shift_short_start_idx on shift (start_time, end_time, id) where missing > 0 or shortfall > 0;
