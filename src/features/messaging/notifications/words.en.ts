import type { Messages } from '#platform/i18n/message.ts'

export const en = {
  'push.many': { one: '{count} new notification', other: '{count} new notifications' },
  'notification.your_account': 'Your account',
  'notification.your_account_of_child': 'Account of {child}',
  'notification.someone': 'Someone',
  'notification.deleted_shift': 'a deleted shift',
  'notification.subject_changes': { one: '{count} change: {event}', other: '{count} changes: {event}' },
  'notification.subject_digest': { one: '{count} notification from {site}', other: '{count} notifications from {site}' },
  'notification.intro_changes': { one: 'There is {count} change:', other: 'There are {count} changes:' },
  'notification.intro_digest': 'Here is everything that happened, in one email:',
  'notification.comment': '{author} writes: “{text}”',
  'notification.quote': '“{text}”',
  'notification.by': 'Changed by {actor}.',
  'notification.meet': 'Meet at {time}',
  'notification.subject_for': '{subject} (for {name})',
  'notification.open_family': 'Open the page of the child',
  'notification.open_event': 'Open event',
  'notification.open_events': 'Show events',
  'notification.open_inbox': 'Show notifications',
  'notification.why': {
    one: 'You get this email because {kinds} is switched on in your settings.',
    other: 'You get this email because {kinds} are switched on in your settings.',
  },
  'notification.unsubscribe': 'Stop these emails',
  'notification.choose': 'Email settings',

  'notification.event_message.from': '{author} writes to you about {event}:',
  'notification.event_message.from_of_child': '{author} writes to {child} about {event}:',
  'notification.event_message.read': 'Message from {author}',
} as const satisfies Messages
