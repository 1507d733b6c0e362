-- How long before a shift a person is reminded; null: as the organisation chose.
alter table user_profile add column reminder_hours smallint check (reminder_hours between 1 and 336);
