-- Messages of a webhook contain the record, too. It is read when a message is sent; the log keeps messages without it.
alter table webhook add column include_record boolean not null default false;
