import type { Messages } from '#platform/i18n/message.ts'

export const en = {
  'participation.state.0': 'requested',
  'participation.state.1': 'confirmed',
  'participation.state.2': 'declined by user',
  'participation.state.3': 'rejected by responsible',
  'participation.state.4': 'getting dispatched',
} as const satisfies Messages
