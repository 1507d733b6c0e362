import type { Messages } from '#platform/i18n/message.ts'

export const en = {
  'push.title': 'Push messages',
  'push.intro': 'Your phone or computer shows a message as soon as something changes, even if this site is closed.',
  'push.no_script': 'Push messages need JavaScript.',
  'push.unsupported':
    'This browser cannot show push messages. On an iPhone or iPad, first add this site to the home screen and open it from there.',
  'push.denied': 'You have blocked messages of this site. Allow them in the settings of your browser, then reload this page.',
  'push.failed': 'Push messages could not be turned on. Please try again later.',
  'push.on': 'Push messages are on in this browser.',
  'push.turn_on': 'Turn on push messages',
  'push.turned_on': 'Push messages are on in this browser.',
  'push.not_now': 'Not now',
  'push.offer': 'Messages about changes',
  'push.devices': 'Your devices',
  'push.this': 'this browser',
  'push.since': 'turned on {when}',
  'push.remove': 'Turn off',
  'push.removed': 'This device gets no more push messages.',
  'push.test': 'Send a test message',
  'push.test_title': 'It works',
  'push.test_body': 'Push messages look like this.',
  'push.test_sent': {
    one: 'The test message is on its way to {count} device.',
    other: 'The test message is on its way to {count} devices.',
  },
  'push.test_gone': {
    one: '{count} device no longer accepts messages and was removed.',
    other: '{count} devices no longer accept messages and were removed.',
  },
  'push.test_failed': {
    one: '{count} device could not be reached just now.',
    other: '{count} devices could not be reached just now.',
  },
} as const satisfies Messages
