-- Drafts and the bin are found without a look at all events.
create index event_draft_idx on event (created_at desc, id) where not active and deleted_at is null;
create index event_bin_idx on event (deleted_at, id) where deleted_at is not null;
