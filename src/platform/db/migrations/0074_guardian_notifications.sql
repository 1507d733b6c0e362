-- Notifications of a child that its guardians get, too: one row for each guardian and child. They end with the guardianship.
alter table notification add column about_id bigint;
-- No row has it yet, so there is nothing to check.
alter table notification
  add constraint notification_guardianship_fkey foreign key (user_id, about_id) references guardianship (guardian_id, child_id)
    on update cascade on delete cascade not valid;
