import type { Messages } from '#platform/i18n/message.ts'

export const en = {
  'guest_link.title': 'This link is from our former system',
  'guest_link.text': '{name} now plans with new software. Guests cannot register or change anything by a link there yet.',
  'guest_link.unknown': 'We do not know this link, or it is no longer valid.',
  'guest_link.event': 'Your link is for this event:',
  'guest_link.registered': 'What you entered before is still there:',
  'guest_link.contact': 'Please contact the person who sent you the link. They can enter changes for you.',
  'guest_link.contact_imprint': 'Please contact the person who sent you the link, or us: our address is in the',
  'guest_link.organisation': 'The organisation',
} as const satisfies Messages
