-- Texts that an organisation has written, in its other languages. `original`: the text that was translated; while the record has another
-- one, the translation is not shown.
create table translated_text (
  id bigint generated always as identity primary key,
  event_id bigint references event (id) on delete cascade,
  page_id bigint references content_page (id) on delete cascade,
  question_id bigint references question (id) on delete cascade,
  language text not null,
  field text not null,
  original text not null,
  text text not null,
  check (num_nonnulls(event_id, page_id, question_id) = 1)
);
create unique index translated_text_event on translated_text (event_id, language, field) where event_id is not null;
create unique index translated_text_page on translated_text (page_id, language, field) where page_id is not null;
create unique index translated_text_question on translated_text (question_id, language, field) where question_id is not null;
