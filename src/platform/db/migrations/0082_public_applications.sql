-- Applications in browsers, on phones and on the command line cannot keep a secret, so they have none.
alter table oauth_application
  add column is_public boolean not null default false,
  -- Where people may be sent after the application has signed them out.
  add column post_logout_redirect_uris text[] not null default '{}',
  -- For devices without a browser: people enter a code on their phone.
  add column allows_devices boolean not null default false;

-- Anybody can pretend to be a public application, so it proves with PKCE that it began the request, and people are asked.
alter table oauth_application add constraint oauth_application_public_check
  check (not is_public or (client_secret_hash = '' and require_pkce and not trusted));
