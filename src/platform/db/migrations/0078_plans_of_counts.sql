-- Each sign-up calls these functions, and PostgreSQL planned their statements again for each call, because a plan for the given array looks
-- cheaper than one for any array. Planning took most of their time.
alter function refresh_event_times(bigint[]) set plan_cache_mode = 'force_generic_plan';
alter function count_participations(bigint[]) set plan_cache_mode = 'force_generic_plan';
alter function refresh_participation_counts(bigint[]) set plan_cache_mode = 'force_generic_plan';
