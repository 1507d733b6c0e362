import type { Room } from '../message.ts'

export const reset = {
  'reset.title': 'Forgotten your password?',
  'reset.intro': 'Enter the e-mail address you sign in with. We send you a link to set a new password.',
  'reset.submit': 'Send me a link',
  'reset.back': 'Back to signing in',
  'reset.sent_title': 'Look into your mailbox',
  'reset.sent_text':
    'If {email} belongs to an account here, a mail with a link is on its way. The link works once, for one hour.',
  'reset.sent_help': 'Nothing there after a few minutes? Look among unwanted mails, or check whether it is the right address.',
  'reset.again': 'Use another address',
  'reset.limit': 'Links were asked for several times already. Look into your mailbox, or ask again at {time}.',
  'reset.address_limit': {
    one: 'Too many links were asked for from your network. Try again in a second.',
    other: 'Too many links were asked for from your network. Try again in {count} seconds.',
  },
  'reset.new_title': 'Set a new password',
  'reset.new_intro': '{name}, choose a new password. All devices are signed out then, and your API tokens end.',
  'reset.new_submit': 'Set password and sign in',
  'reset.done': 'Your new password is set. Strength: {strength}.',
  'reset.dead_title': 'This link does not work any more',
  'reset.dead_text': 'It was used already or is older than an hour. Ask for a new one; it takes a minute.',
  'reset.dead_action': 'Ask for a new link',
  'reset.welcome_title': 'Welcome, {name}',
  'reset.welcome_intro': 'Choose a password, and your account is ready. You sign in with {email}.',
  'reset.welcome_submit': 'Set password and begin',
  'reset.welcome_done': 'Your account is ready. Strength of your password: {strength}.',
  'reset.welcome_dead':
    'It was used already or is older than four weeks. If you have set a password, sign in; otherwise ask for a new link.',
} as const satisfies Room
