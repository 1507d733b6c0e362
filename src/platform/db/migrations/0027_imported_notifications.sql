-- Notifications and settings of an import that was made before the importer knew them.

-- SQLite stores booleans as numbers and JSON as text.
create temporary table imported_notification on commit drop as
select m.id as kept_id, (m.row ->> 'id')::bigint as id, (m.row ->> 'user_id')::bigint as user_id, m.row ->> 'slug' as slug,
  (case when jsonb_typeof(m.row -> 'data') = 'string' then (m.row ->> 'data')::jsonb else m.row -> 'data' end) as data,
  (m.row ->> 'created_at')::timestamp at time zone 'UTC' as created_at, coalesce(m.row ->> 'read', 'false') in ('true', '1') as is_read
from moved_in_row m where m.table_name = 'core_notification' and m.reason is null;

insert into notification (user_id, kind, source, bundle, event_id, participation_id, data, created_at, read_at, mail, mail_reason, next_attempt_at)
select n.user_id, k.kind, 'import ' || n.id, 'import ' || n.id, p.event_id, p.id,
  case k.kind
    when 'participation_state' then jsonb_build_object('from', null, 'to', coalesce(n.data -> 'participation_state', to_jsonb(p.state)))
    when 'participation_change' then
      jsonb_build_object('from', null, 'to', coalesce(n.data -> 'participation_state', to_jsonb(p.state)), 'by', 'responsible')
    when 'participation_request' then '{"from": null, "to": 0}'
    when 'profile_changed' then '{"what": "profile", "fields": []}'
    when 'request_decided' then jsonb_build_object('outcome', k.outcome, 'request_id', r.id, 'what', r.kind)
    else '{}'
  end,
  n.created_at, case when n.is_read then n.created_at end, 'skipped', 'imported', n.created_at
from imported_notification n
join (values
  ('ephios_participation_state_changed', 'participation_state', null),
  ('ephios_participation_customized', 'participation_times', null),
  ('ephios_participation_awaits_disposition', 'participation_request', null),
  ('ephios_participation_responsible_state_changed', 'participation_change', null),
  ('ephios_participation_responsible_confirmed_declined', 'participation_decline', null),
  ('ephios_participation_responsible_confirmed_customized', 'participation_own_times', null),
  ('ephios_profile_update', 'profile_changed', null),
  ('ephios_consequence_approved', 'request_decided', 'granted'),
  ('ephios_consequence_denied', 'request_decided', 'refused')
) k (slug, kind, outcome) using (slug)
join user_profile u on u.id = n.user_id
left join participation p on p.id::text = coalesce(n.data ->> 'participation_id', n.data ->> 'participation')
-- An earlier migration may have given the request of ephios another id.
left join decision_request r on r.id::text = coalesce(n.data ->> 'consequence_id', n.data ->> 'consequence') and r.user_id = n.user_id
where n.created_at > now() - interval '90 days'
  and (k.kind = 'profile_changed' or (case when k.kind = 'request_decided' then r.id else p.id end) is not null)
order by n.id
on conflict do nothing;

with letter as (
  select n.id, n.user_id, n.created_at, n.is_read, e.id as event_id, left(btrim(n.data ->> 'content'), 10000) as text
  from imported_notification n join user_profile u on u.id = n.user_id
  join event e on e.id::text = coalesce(n.data ->> 'event_id', n.data ->> 'event')
  where n.slug = 'ephios_custom_event_notification' and btrim(n.data ->> 'content') <> '' and n.created_at > now() - interval '90 days'
), message as (
  insert into event_message (event_id, subject, text, created_at)
  select event_id, left(split_part(text, E'\n', 1), 200), text, min(created_at) from letter group by event_id, text
  returning id, event_id, text
)
insert into notification (user_id, kind, source, bundle, event_id, message_id, created_at, read_at, mail, mail_reason, next_attempt_at)
select l.user_id, 'event_message', 'import ' || l.id, 'import ' || l.id, l.event_id, m.id, l.created_at,
  case when l.is_read then l.created_at end, 'skipped', 'imported', l.created_at
from letter l join message m using (event_id, text)
on conflict do nothing;

-- The others are old, have no counterpart, or are about something that is gone.
delete from moved_in_row m using imported_notification n where m.id = n.kept_id;

insert into setting (name, value)
select s.name, to_jsonb(lower(m.row ->> 'raw_value') in ('true', 'yes', 'on', '1'))
from moved_in_row m
join (values ('hide.*(login|sign_?in)', 'hide_local_sign_in'), ('redirect.*provider', 'redirect_to_provider')) s (pattern, name)
  on lower(m.row ->> 'name') ~ s.pattern
where m.table_name = 'dynamic_preferences_globalpreferencemodel'
on conflict (name) do nothing;
delete from moved_in_row where table_name = 'dynamic_preferences_globalpreferencemodel'
  and lower(row ->> 'name') ~ 'hide.*(login|sign_?in)|redirect.*provider|enabled_(plugin|module)|^organi[sz]ation_name$|^last_(run|call)|periodic';

-- Refresh tokens that no application can use.
delete from moved_in_row where table_name = 'api_refreshtoken' and reason in ('was revoked', 'has expired');
