import type { Messages } from '#platform/i18n/message.ts'

export const en = {
  'channels.not_linked': 'Messages can also reach you there.',
  'channels.linked_as': 'Messages go to {label}.',
  'channels.link': 'Link',
  'channels.unlink': 'Unlink',
  'channels.linked': 'Messages reach you there from now on.',
  'channels.unlinked': 'No more messages go there.',
  'channels.link_title': 'Link {name}',
  'channels.code': 'Your code',
  'channels.code_lasts': 'It can be used once, until {until}.',
  'channels.sent': 'I have sent it',
  'channels.not_there': 'Nothing has arrived yet. Send the code, then try again in a moment.',
  'channels.test': 'Send a test message',
  'channels.test_title': 'It works',
  'channels.test_text': 'Messages about your shifts look like this.',
  'channels.test_sent': 'The test message is on its way.',
  'channels.test_gone': 'It no longer accepts messages and was unlinked.',
  'channels.test_later': 'It could not be reached just now.',
} as const satisfies Messages
