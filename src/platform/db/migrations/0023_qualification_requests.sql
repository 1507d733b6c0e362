-- Proofs of requested qualifications, and qualifications that events grant to their participants.

create table qualification_proof (
  request_id bigint primary key references decision_request on delete cascade,
  file_id uuid not null unique references stored_file on delete cascade
);

create table event_qualification (
  event_id bigint primary key references event on delete cascade,
  qualification_id bigint not null references qualification on delete cascade,
  -- Which confirmed shifts of the event a person needs: any of them, every one, or the one that ends last.
  mode text not null check (mode in ('any', 'every', 'last')),
  -- lacking: people without a valid grant; holding: extends grants only
  recipients text not null check (recipients in ('all', 'lacking', 'holding')),
  -- Both null: the grants do not expire.
  expires_at timestamptz,
  valid_months integer check (valid_months between 1 and 600),
  needs_decision boolean not null,
  -- Set once, when the participants of the ended event have received the qualification.
  applied_at timestamptz,
  check (expires_at is null or valid_months is null)
);
create index event_qualification_qualification_idx on event_qualification (qualification_id);
create index event_qualification_pending_idx on event_qualification (event_id) where applied_at is null;

-- Lists and notifications of grants that expire soon.
create index qualification_grant_expires_idx on qualification_grant (expires_at) where expires_at is not null;

-- Rows of an import that was made before these tables existed.
-- New ids, because requests that were made since then may have the ids of ephios.
insert into decision_request (kind, user_id, data, state, created_at)
select 'qualification', u.id, m.row -> 'data',
  case m.row ->> 'state' when 'executed' then 'granted' when 'denied' then 'refused' when 'failed' then 'failed' else 'open' end,
  now()
from moved_in_row m join user_profile u on u.id = (m.row ->> 'user_id')::bigint
where m.table_name = 'consequence' and m.row ->> 'slug' = 'ephios.grant_qualification'
  and jsonb_typeof(m.row -> 'data') = 'object'
order by (m.row ->> 'id')::bigint;

insert into event_qualification (event_id, qualification_id, mode, recipients, expires_at, needs_decision, applied_at)
select e.id, q.id, case m.row ->> 'mode' when '2' then 'every' when '3' then 'last' else 'any' end,
  case when coalesce(m.row ->> 'extend_only', 'false') in ('true', '1') then 'holding' else 'all' end,
  (m.row ->> 'expiration_date')::timestamptz, coalesce(m.row ->> 'needs_confirmation', 'true') in ('true', '1'),
  -- Ended events were processed by ephios.
  case when e.end_time <= now() then now() end
from moved_in_row m join event e on e.id = (m.row ->> 'event_id')::bigint
  join qualification q on q.id = (m.row ->> 'qualification_id')::bigint
where m.table_name = 'eventautoqualification_eventautoqualificationconfiguration'
order by (m.row ->> 'id')::bigint
on conflict do nothing;

-- Rows that refer to deleted people, events or qualifications have no use.
delete from moved_in_row where table_name = 'eventautoqualification_eventautoqualificationconfiguration'
  or table_name = 'consequence' and row ->> 'slug' = 'ephios.grant_qualification';
