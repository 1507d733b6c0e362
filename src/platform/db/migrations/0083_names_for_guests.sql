-- Guests read the first names of confirmed people. Otherwise they see how many take part.
alter table event add column guests_see_names boolean not null default false;
