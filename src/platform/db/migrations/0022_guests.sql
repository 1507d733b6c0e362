-- Guests register and act by links.

alter table guest
  -- Mails carry the personal link, so its token must be readable. Null: imported by an earlier version; sealed when the link is opened.
  add column access_token_sealed text,
  -- Of mails. Null: the default language.
  add column language text check (language in ('en', 'de')),
  -- Set when somebody opens the link from a mail. Until then, sign-ups are requests.
  add column email_confirmed_at timestamptz,
  add column link_mailed_at timestamptz;

-- Until now, all guests were imported. In ephios they had the same rights without a proof.
update guest set email_confirmed_at = created_at;

-- Rejected by a responsible. The guest sees it, and it does not count.
alter table guest_qualification
  add column rejected_at timestamptz,
  add constraint guest_qualification_one_verdict check (num_nonnulls(verified_at, rejected_at) <= 1);
