import { MOVE, type PersonalTable } from '#platform/db/personal-table.ts'

export const messagesPersonalData: readonly PersonalTable[] = [
  { table: 'event_message', column: 'author_id', export: { section: 'messages_sent' }, merge: MOVE, erased: 'anonymous' },
]
