-- Whoever looks for a stand-in asks people in waves. People without a time of asking wait for a later wave.
alter table stand_in add column wave_size integer not null default 100;
alter table stand_in_person alter column asked_at drop not null;
alter table stand_in_person add column position integer not null default 0;
