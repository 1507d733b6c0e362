import { sql } from 'kysely'
import { addPart } from '#features/messaging/notification-kinds/points.ts'
import type { NotificationParts } from '#features/messaging/notification-kinds/rules/details.ts'
import type { AskedPerson } from '../rules/links.ts'

declare module '#features/messaging/notification-kinds/rules/details.ts' {
  interface NotificationParts {
    /** The question to the recipient. `isOpen`: not answered, withdrawn or answered otherwise. */
    inquiry?: (AskedPerson & { isOpen: boolean; message: string; askedBy: string | null }) | undefined
  }
}

type Stored = Omit<NonNullable<NotificationParts['inquiry']>, 'expiresAt'> & { expiresAt: string }

export const inquiryPart = addPart({
  name: 'inquiry',
  read: ({ personId }) => sql`(
    select json_build_object('id', p.id, 'userId', p.user_id, 'shiftId', i.shift_id, 'expiresAt', p.expires_at,
      'isOpen', p.answer is null and p.withdrawn_at is null and i.end_reason is distinct from 'enough' and not exists (
        select from participation o where o.shift_id = i.shift_id and o.kind = 'local' and o.user_id = p.user_id),
      'message', i.message, 'askedBy', u.display_name)
    from inquiry_person p join inquiry i on i.id = p.inquiry_id left join user_profile u on u.id = i.created_by_id
    where p.inquiry_id = (n.data ->> 'inquiry_id')::bigint and p.user_id = ${personId} and p.asked_at is not null)`,
  parse: (inquiry: Stored) => ({ ...inquiry, expiresAt: new Date(inquiry.expiresAt) }),
  names: ['askedBy'],
})
