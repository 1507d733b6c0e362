import type { Messages } from '#platform/i18n/message.ts'

export const en = {
  'settings.availability': 'Availability',
  'availability.title': 'Availability',
  'availability.intro':
    'Planners see only whether you are available during a shift, not your entries. You can still sign up at any time.',
  'availability.weekly': 'Every week',
  'availability.days': 'Single days and periods',
  'availability.no_weekly': 'You have not entered weekly times.',
  'availability.no_days': 'You have not entered single days, for example holidays.',
  'availability.kind': 'At this time',
  'availability.kind_can': 'available',
  'availability.kind_cannot': 'not available',
  'availability.weekday': 'Day',
  'availability.from': 'From',
  'availability.until': 'Until',
  'availability.first': 'First day',
  'availability.last': 'Last day',
  'availability.add': 'Add',
  'availability.delete': 'Delete',
  'availability.saved': 'Your availability was saved.',
  'availability.deleted': 'The entry was deleted.',
  'availability.time_invalid': 'Please enter a time such as 08:30. The end of the day is 24:00.',
  'availability.day_invalid': 'Please enter a date.',
  'availability.refused_order': 'The end must be after the start.',
  'availability.refused_past': 'This period is over.',
  'availability.refused_too_many': 'There are too many entries. Please delete some first.',
} as const satisfies Messages
