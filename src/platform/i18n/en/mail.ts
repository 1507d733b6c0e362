import type { Room } from '../message.ts'

export const mail = {
  'mail.greeting': 'Hello {name},',
  'mail.link_help': 'If the button does not work, open this address:',
  'mail.reset_subject': 'A new password for {site}',
  'mail.reset_text': 'Somebody – probably you – asked for a new password for your account. With this link you can set one:',
  'mail.reset_action': 'Set a new password',
  'mail.reset_note': 'The link works once, for one hour. If you did not ask for it, do nothing: your password stays as it is.',
  'mail.welcome_subject': 'Welcome to {site}',
  'mail.welcome_text': 'There is an account for you at {site} now. There you see what is planned and say when you can help.',
  'mail.welcome_email': 'You sign in with {email}. First choose a password:',
  'mail.welcome_action': 'Choose a password',
  'mail.welcome_note': 'The link works once, for 28 days.',
  'mail.changed_subject': 'Your password for {site} was changed',
  'mail.changed_text': 'Your password was changed ({time}).',
  'mail.changed_ended': 'All other devices are signed out, and all API tokens and connected applications have lost their access.',
  'mail.changed_action': 'Set a new password',
  'mail.changed_note':
    'If that was you, there is nothing to do. If not, set a new password at once and tell your administrators.',
  'mail.token_subject': 'An API token of yours expires on {date}',
  'mail.token_text': 'Your API token “{description}” expires on {date}. Whatever uses it will be refused from then on.',
  'mail.token_what': 'If it is still needed, make a new one and put it in its place. If not, there is nothing to do.',
  'mail.token_action': 'To your API tokens',
} as const satisfies Room
