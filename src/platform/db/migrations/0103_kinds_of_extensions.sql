-- Names of kinds of notifications begin with that of their extension, which may have digits.
alter table notification drop constraint notification_kind_check;
alter table notification add constraint notification_kind_check check (kind ~ '^[a-z][a-z0-9_]*$') not valid;
alter table notification validate constraint notification_kind_check;

-- In front of what caused a notification of an extension stands the name of its kind.
alter table notification drop constraint notification_source_check;
alter table notification add constraint notification_source_check check (char_length(source) <= 160) not valid;
alter table notification validate constraint notification_source_check;
alter table notification drop constraint notification_bundle_check;
alter table notification add constraint notification_bundle_check check (char_length(bundle) <= 160) not valid;
alter table notification validate constraint notification_bundle_check;
