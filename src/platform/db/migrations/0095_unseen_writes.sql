-- Transactions that write nothing that a kept page shows, such as counts of requests, say so: every other one ends kept pages
-- (`platform/db/state.ts`).
alter table cache_mark drop constraint cache_mark_kind_check;
alter table cache_mark add constraint cache_mark_kind_check check (kind in ('access', 'events', 'unseen')) not valid;
alter table cache_mark validate constraint cache_mark_kind_check;
