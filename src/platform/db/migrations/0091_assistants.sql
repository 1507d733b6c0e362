-- Tokens for assistants work at the address of the Model Context Protocol only. Both columns are chosen once.
alter table access_token add column is_for_assistant boolean not null default false;
alter table oauth_application add column is_for_assistants boolean not null default false;
