import type { Messages } from '#platform/i18n/message.ts'

export const en = {
  'web_app.offline': 'No connection',
  'web_app.offline_text':
    'This page needs a connection to the internet. Once you are signed in, your upcoming shifts are shown here.',
  'web_app.retry': 'Try again',
  'web_app.own_shifts': 'My shifts',
  'web_app.copied_at': 'As of {time}',
  'web_app.copy_note': 'No connection. This is the last saved copy of your upcoming shifts; it may be out of date.',
  'web_app.none': 'You have no upcoming shifts.',
  'web_app.confirmed': 'Confirmed',
  'web_app.requested': 'Requested',
  'web_app.meet': 'Meeting time: {time}',
} as const satisfies Messages
