import type { Messages } from '#platform/i18n/message.ts'

export const en = {
  'viewing.action': 'See what this person sees',
  'viewing.action_help': 'Look at the pages as this person. Nothing can be changed, and it is logged.',
  'viewing.title': 'See what {name} sees?',
  'viewing.read_only': 'You see the pages as {name} sees them. Nothing can be changed meanwhile.',
  'viewing.personal': 'The account and the notifications of the person stay closed.',
  'viewing.ends': { one: 'It ends by itself after {count} minute.', other: 'It ends by itself after {count} minutes.' },
  'viewing.logged': 'The log records that you did.',
  'viewing.start': 'Start the view',
  'viewing.banner': 'You see what {name} sees, until {time}. Nothing can be changed.',
  'viewing.stop': 'Stop the view',
  'viewing.stopped': 'You see your own pages again.',
  'viewing.refused': 'You can look only as people with an active account who have no more rights than you.',
  'viewing.members': 'What members see',
  'viewing.members_text': 'Look at the pages as a member does. Nothing can be changed, and it is logged.',
  'viewing.members_none': 'As soon as the group has members, you can look at the pages as they see them.',
  'viewing.members_more': 'All members',
} as const satisfies Messages
