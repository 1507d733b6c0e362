-- The language of the visitor's profile at home. Null: unknown, so the language of the browser is used.
alter table visitor add column language text check (language in ('en', 'de'));

-- People are asked for consent to an organisation, not to an address.
update oauth_application a set name = h.name from federated_host h where h.application_id = a.id and a.purpose = 'federation';

-- Statements of hosts about our people that the person has denied. Kept apart from the copies, which every sync replaces.
create table denied_statement (
  host_id bigint not null references federated_host on delete cascade,
  remote_shift_id bigint not null,
  user_id bigint not null references user_profile on delete cascade,
  denied_at timestamptz not null,
  primary key (user_id, host_id, remote_shift_id)
);
create index denied_statement_host_idx on denied_statement (host_id);
alter table participation_abroad add column denied boolean not null default false;
