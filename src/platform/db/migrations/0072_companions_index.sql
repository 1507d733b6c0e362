-- without transaction
create index concurrently if not exists participation_brought_by_idx on participation (brought_by_id) where brought_by_id is not null;
