import type { Messages } from '#platform/i18n/message.ts'

export const en = {
  'changes.bad_cursor': 'This is not a cursor. Use the value of “next” of an earlier answer, or “start”.',
  'changes.bad_number': 'Enter a whole number from {from} to {to}.',
  'changes.gone':
    'The changes after this cursor are not kept any longer. Read your lists again, and continue after the cursor in “next”.',
} as const satisfies Messages
