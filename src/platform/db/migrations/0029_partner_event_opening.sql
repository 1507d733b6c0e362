-- When a person last opened an event of a host from here. Hosts other than Turnout do not tell where our people stand, so this is all
-- that is known about them.
create table partner_event_opening (
  user_id bigint not null references user_profile on delete cascade,
  partner_event_id bigint not null references partner_event on delete cascade,
  opened_at timestamptz not null,
  primary key (user_id, partner_event_id)
);
create index partner_event_opening_event_idx on partner_event_opening (partner_event_id);
