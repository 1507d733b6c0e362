-- Service accounts: keys for programs that belong to no person. Each has a profile, so that groups, permissions and the visibility of
-- events work as for people; the profile is closed for everything that people do.

alter table user_profile
  add column is_service_account boolean not null default false,
  add constraint user_profile_service_account_is_closed check (
    not is_service_account
    or (not is_visible and not is_staff and not is_superuser and email_invalid and password_hash is null and calendar_token_hash is null)
  );
create unique index user_profile_service_account_name_key on user_profile (lower(display_name))
  where is_service_account and deleted_at is null;

create table service_account (
  user_id bigint primary key references user_profile on delete cascade,
  scopes text[] not null check (cardinality(scopes) > 0),
  -- CIDR notation; empty: every network.
  allowed_networks text[] not null default '{}',
  -- Origins of pages whose scripts may use the keys; empty: none.
  allowed_origins text[] not null default '{}',
  -- Null: never.
  expires_at timestamptz,
  expiry_warned_at timestamptz,
  created_by_id bigint references user_profile on delete set null,
  created_at timestamptz not null
);
create index service_account_created_by_id_idx on service_account (created_by_id) where created_by_id is not null;

-- Scopes of a key are those of its service account.
alter table access_token drop constraint access_token_kind_check;
alter table access_token add constraint access_token_kind_check
  check (kind in ('personal', 'oauth', 'federation', 'service') and (kind <> 'service' or scopes = '{}'));

-- The last barrier behind the checks of the commands: a service account never signs in and never takes part.
create function refuse_service_account() returns trigger language plpgsql as $$
begin
  if exists (select from user_profile u where u.id = new.user_id and u.is_service_account) then
    raise exception 'user % is a service account', new.user_id using errcode = 'check_violation', constraint = tg_name, table = tg_table_name;
  end if;
  return new;
end $$;
create trigger session_is_of_person before insert or update of user_id on session
  for each row execute function refuse_service_account();
create trigger one_time_link_is_of_person before insert or update of user_id on one_time_link
  for each row when (new.user_id is not null) execute function refuse_service_account();
create trigger external_identity_is_of_person before insert or update of user_id on external_identity
  for each row execute function refuse_service_account();
create trigger participation_is_of_person before insert or update of user_id on participation
  for each row when (new.user_id is not null) execute function refuse_service_account();
