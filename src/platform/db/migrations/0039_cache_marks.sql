-- Which transactions wrote what caches depend on, so that other commits do not empty the caches (`platform/db/state.ts`):
-- `access` who a caller is and may do, `events` which events and shifts a caller sees and their versions.
-- One row per transaction and kind; writers never wait for each other. A job deletes old rows.

create table cache_mark (
  xid xid8 not null default pg_current_xact_id(),
  kind text not null check (kind in ('access', 'events')),
  primary key (xid, kind)
);

create function mark_cache() returns trigger language plpgsql as $$
begin
  insert into cache_mark (kind) values (tg_argv[0]) on conflict do nothing;
  return null;
end $$;

create trigger access_token_cache after insert or delete or truncate or update of token_hash, kind, user_id, federated_guest_id,
  application_id, grant_id, scopes, description, expires_at, revoked_at on access_token
  for each statement execute function mark_cache('access');
create trigger user_profile_cache after delete or truncate or update of id, display_name, email, preferred_language, is_staff, is_superuser,
  is_active, is_service_account on user_profile for each statement execute function mark_cache('access');
create trigger user_group_member_cache after insert or delete or update or truncate on user_group_member
  for each statement execute function mark_cache('access');
create trigger user_permission_cache after insert or delete or update or truncate on user_permission
  for each statement execute function mark_cache('access');
create trigger group_permission_cache after insert or delete or update or truncate on group_permission
  for each statement execute function mark_cache('access');
create trigger oauth_grant_cache after delete or update or truncate on oauth_grant
  for each statement execute function mark_cache('access');
create trigger oauth_application_cache after delete or update or truncate on oauth_application
  for each statement execute function mark_cache('access');
create trigger service_account_cache after insert or delete or update or truncate on service_account
  for each statement execute function mark_cache('access');

create trigger event_cache after insert or delete or update or truncate on event
  for each statement execute function mark_cache('events');
create trigger event_type_cache after insert or delete or update or truncate on event_type
  for each statement execute function mark_cache('events');
create trigger audience_cache after insert or delete or update or truncate on audience
  for each statement execute function mark_cache('events');
create trigger event_user_grant_cache after insert or delete or update or truncate on event_user_grant
  for each statement execute function mark_cache('events');
create trigger shift_cache after insert or delete or update or truncate on shift
  for each statement execute function mark_cache('events');
create trigger participation_cache after insert or delete or update or truncate on participation
  for each statement execute function mark_cache('events');
