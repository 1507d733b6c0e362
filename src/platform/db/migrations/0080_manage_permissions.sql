-- Managing resources, files and pages by permission of a group. Administrators could and can do it without.

insert into permission (name) values
  ('view_resource'), ('add_resource'), ('change_resource'), ('delete_resource'),
  ('add_file'), ('change_file'), ('delete_file'),
  ('add_page'), ('change_page'), ('delete_page');

-- Shared files are offered for every event, and stay when no event has them.
alter table attachment
  add column shared boolean not null default false,
  add column version integer not null default 1;
create index attachment_shared_idx on attachment (lower(title), id) where shared;
create trigger attachment_version before update on attachment for each row execute function bump_version();

create or replace function delete_unused_attachments() returns trigger language plpgsql as $$
begin
  -- The lock orders two transactions that delete the last two references.
  perform from attachment where id in (select attachment_id from removed) order by id for update;
  delete from attachment a where a.id in (select attachment_id from removed) and not a.shared
    and not exists (select from event_attachment e where e.attachment_id = a.id);
  return null;
end $$;
