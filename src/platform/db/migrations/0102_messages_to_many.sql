-- People who get the message, and whose notifications a job creates: a request for everybody in a large organisation would take too long.
alter table event_message add column waiting_user_ids bigint[] not null default '{}';
