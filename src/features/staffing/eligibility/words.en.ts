import type { Messages } from '#platform/i18n/message.ts'

export const en = {
  'participation.state.0': 'requested',
  'participation.state.1': 'confirmed',
  'participation.state.2': 'declined by user',
  'participation.state.3': 'rejected by responsible',
  'participation.state.4': 'getting dispatched',

  'instance.unknown_age_blocks': 'Shifts with a minimum age require a birth date',
  'instance.unknown_age_blocks_help': 'Otherwise people without a birth date can sign up for them.',
  'instance.expiring_qualification_warns': 'Only warn about qualifications that expire before the shift',
  'instance.expiring_qualification_warns_help': 'Otherwise these qualifications do not count for the shift.',
  'instance.waiting_list': 'Waiting lists of full shifts',
  'instance.waiting_list_help':
    'People can wait for a place. A place that becomes free is offered to the next person who fits. Planners can switch this off for a shift.',
  'instance.tolerance': 'Tolerance for individual times, in minutes',
  'instance.tolerance_help': 'How much earlier people may come and how much longer they may stay than the shift lasts.',
  'instance.waiting_list_hours': 'Time to accept an offered place, in hours',
  'instance.waiting_list_hours_help':
    'The place is held for this long, at most until three hours before the shift. Shortly before the shift, people have one hour.',
} as const satisfies Messages
