-- Whether the phone number of a responsible person is shown to people who see the event.
alter table user_profile add column shows_phone boolean not null default false;
