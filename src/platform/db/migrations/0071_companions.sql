-- Placeholders whom a participant brings. They leave with the participant, and copies on coupled shifts refer to the same one.
alter table participation add column brought_by_id bigint references participation on delete cascade;
alter table participation add constraint participation_only_placeholders_are_brought
  check (brought_by_id is null or kind = 'placeholder') not valid;
