-- Who may see which people and change which events decides about pages of participations, which are cached
-- (`features/events/queries/remembered-pages.ts`).

create trigger event_group_grant_cache after insert or delete or update or truncate on event_group_grant
  for each statement execute function mark_cache('events');
create trigger profile_user_grant_cache after insert or delete or update or truncate on profile_user_grant
  for each statement execute function mark_cache('access');
create trigger profile_group_grant_cache after insert or delete or update or truncate on profile_group_grant
  for each statement execute function mark_cache('access');
