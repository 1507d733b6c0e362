import { sql } from 'kysely'
import { addPart } from '#features/messaging/notification-kinds/points.ts'

export const messagePart = addPart({
  name: 'message',
  read: () => sql`(
    select json_build_object('subject', m.subject, 'text', m.text) from event_message m where m.id = n.message_id)`,
  parse: (message: { subject: string; text: string }) => message,
})
