-- For how many months a new grant usually counts; null: without an end.
alter table qualification add column valid_months integer;
alter table qualification add constraint qualification_valid_months_check check (valid_months between 1 and 600) not valid;
alter table qualification validate constraint qualification_valid_months_check;
