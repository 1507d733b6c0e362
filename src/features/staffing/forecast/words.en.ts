import type { Messages } from '#platform/i18n/message.ts'

export const en = {
  'forecast.usual': 'Usually {usual}% full by now, this one {now}%.',
  'forecast.end': 'Probably {count} of {needed} people in the end.',
  'forecast.end_range': 'Probably {low} to {high} of {needed} people in the end.',
  'forecast.title': {
    one: 'Compared with {count} past shift of this type',
    other: 'Compared with {count} past shifts of this type',
  },
} as const satisfies Messages
